"use strict";
// The strategy browser. Functions up to "On the page" are pure: they take plain data and give
// plain data, so that they run without a page too. What is below puts their results on the page,
// every text by textContent, since rules and hands may have any names.

// ---- Writing numbers -------------------------------------------------------------------------

const GAP = "\u00a0"; // keeps a number and its unit on one line

// Thousandths of a probability; -1 is more than never and less than half a thousandth.
function formatProb(thousandths) {
  if (thousandths === 0) return "\u00b7";
  if (thousandths < 0) return `<0.1${GAP}%`;
  return `${(thousandths / 10).toFixed(thousandths === 1000 ? 0 : 1)}${GAP}%`;
}

// Thousandths of a utility with its sign, or of a chance of winning in per cent.
function formatValue(thousandths, kind) {
  if (kind === "win") return `${(thousandths / 10).toFixed(1)}${GAP}%`;
  const sign = thousandths < 0 ? "\u2212" : thousandths > 0 ? "+" : "";
  return sign + (Math.abs(thousandths) / 1000).toFixed(3);
}

// A chance from 0 to 1 that may be very small, with three digits that count.
function formatChance(chance) {
  if (chance === 0) return "never";
  return `${Number((100 * chance).toPrecision(3))}${GAP}%`;
}

// ---- Paths -----------------------------------------------------------------------------------

// What a link or the search field names: bids by commas or spaces, steps of cup games by slashes.
function parsePath(text, family) {
  const plain = text.trim().replace(/^#/, "");
  // a claim may hold what a path is split at, so that its code is read only afterwards
  const parts =
    family === "cup"
      ? plain.split("/").map(decode)
      : decode(plain).replace(/[X\u00d7]/g, "x").split(/[,;\s]+/);
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone % is no code: it is taken as it stands
  }
}

function joinPath(parts, family) {
  return parts.join(family === "cup" ? "/" : ",");
}

// A first claim as the page writes it, whatever the order and case of its letters.
function nameClaim(meta, typed) {
  if (Object.hasOwn(meta.branches, typed)) return typed;
  const sorted = (text) => [...text.toUpperCase()].sort().join("");
  const found = Object.keys(meta.branches).filter((claim) => sorted(claim) === sorted(typed));
  return found.length === 1 ? found[0] : typed;
}

// Nodes on the way along bids, as far as the rules allow them.
function follow(meta, bids) {
  const nodes = [0];
  for (const bid of bids) {
    const node = meta.nodes[nodes[nodes.length - 1]];
    const k = node.a.indexOf(bid);
    if (k < 0 || node.t[k] < 0) break;
    nodes.push(node.t[k]);
  }
  return nodes;
}

// ---- Odds by dice alone ----------------------------------------------------------------------

// Chance that at least so many dice of the others match as a hand lacks for the bid of a node.
function oddsTrue(meta, player, hand, nodeId) {
  const node = meta.nodes[nodeId];
  return tailAt(meta.tails[player][node.c], node.q - meta.matches[player][node.c][hand]);
}

function tailAt(tail, missing) {
  if (missing <= 0) return 1;
  return missing < tail.length ? tail[missing] : 0;
}

// Chance that an action is right if all dice that are hidden are random: that a bid is true, that
// a challenge meets a false bid, that the count is exact.
function oddsOfAction(meta, player, hand, nodeId, k) {
  const node = meta.nodes[nodeId];
  if (node.t[k] >= 0) return oddsTrue(meta, player, hand, node.t[k]);
  const atLeast = oddsTrue(meta, player, hand, nodeId);
  if (node.a[k] === "liar") return 1 - atLeast;
  const missing = node.q - meta.matches[player][node.c][hand];
  return missing < 0 ? 0 : atLeast - tailAt(meta.tails[player][node.c], missing + 1);
}

// ---- What a place shows ----------------------------------------------------------------------

// Same shape for both families: columns, rows with cells, and what is believed.
function viewBidding(meta, path, state) {
  const nodeId = follow(meta, path).pop();
  const node = meta.nodes[nodeId];
  const seat = node.p + 1;
  const last = path.length ? path[path.length - 1] : null;
  const summary = [];
  if (state === undefined) {
    summary.push(
      `Play comes here with a chance below ${formatChance(meta.minReach)}, and this page leaves ` +
        "such places out. The odds by dice alone are here all the same."
    );
  } else {
    summary.push(
      state.r > 0
        ? `Play comes here in ${formatChance(state.r)} of rounds.`
        : "Play never comes here; dice that could not lead here are taken to be random."
    );
  }
  return {
    legend:
      "How often a hand plays an action, and the utility of the round to who plays it. Grey hands " +
      "make the bids that led here less than once in a thousand times.",
    heading: last ? `Seat ${seat}, after ${path.join(", ")}` : `Seat ${seat} opens the round`,
    summary,
    valueKind: "utility",
    rowHead: "hand",
    extraHeads: last
      ? ["comes here", `${last} true, dice alone`, `${last} true, given the bids`]
      : ["comes here"],
    columns: node.a.map((name, k) => ({
      name,
      path: node.t[k] >= 0 ? [...path, name] : null,
    })),
    rows: meta.hands[node.p].map((hand, h) => ({
      name: hand.join(" "),
      tokens: hand.map(String),
      dead: state !== undefined && state.g.includes(h),
      extras: [
        state === undefined ? "?" : formatChance(state.h[h]),
        ...(last
          ? [
              formatChance(oddsTrue(meta, node.p, h, nodeId)),
              state === undefined ? "?" : formatProb(state.t[h]),
            ]
          : []),
      ],
      cells: node.a.map((_, k) => ({
        p: state === undefined ? null : state.p[k][h],
        v: state === undefined || state.v === null ? null : state.v[k][h],
        odds: oddsOfAction(meta, node.p, h, nodeId, k),
      })),
    })),
    beliefs:
      state === undefined
        ? []
        : state.b.flatMap((belief, player) =>
            belief === null
              ? []
              : [
                  {
                    title: `What seat ${player + 1} holds`,
                    bars: meta.hands[player].map((hand, h) => ({
                      name: hand.join(" "),
                      now: belief[h],
                      before: meta.handProbs[player][h],
                    })),
                  },
                ]
          ),
  };
}

function viewCup(meta, path, state) {
  if (state === undefined) {
    return {
      heading: path.join(", "),
      summary: [`Play comes here with a chance below ${formatChance(meta.minReach)}, and this ` +
        "page leaves such places out; or there is no such place."],
      valueKind: "win", legend: "", rowHead: "", extraHeads: [], columns: [], rows: [], beliefs: [],
    };
  }
  return {
    legend: "How often a hand plays an action, and how often it wins the round with it.",
    heading: state.heading,
    summary: state.summary,
    valueKind: "win",
    rowHead: state.rowHead,
    extraHeads: state.extraHeads,
    columns: state.columns.map(([name, to]) => ({ name, path: to })),
    rows: state.rows.map((row) => ({
      name: row.name,
      tokens: [...row.name].filter((letter) => letter !== " "),
      dead: row.r === 0,
      extras: [formatChance(row.r), ...row.extras.map(formatProb)],
      cells: row.p.map((p, k) => ({ p, v: row.v[k], odds: row.odds ? row.odds[k] / 1000 : null })),
    })),
    beliefs: state.beliefs.map(({ title, names, now, before }) => ({
      title,
      bars: names.map((name, k) => ({ name, now: now[k], before: before[k] })),
    })),
  };
}

// Whether a hand has all that is typed, each as often: "33" wants two threes.
function hasAll(tokens, wanted) {
  const single = tokens.every((token) => token.length === 1);
  const parts = single
    ? [...wanted.replace(/[\s,]/g, "")]
    : wanted.split(/[\s,]+/).filter((part) => part !== "");
  const rest = tokens.map((token) => token.toUpperCase());
  return parts.every((part) => {
    const place = rest.indexOf(part.toUpperCase());
    if (place >= 0) rest.splice(place, 1);
    return place >= 0;
  });
}

// Columns that some hand which comes here plays half a thousandth of the time; all, if none does.
function usedColumns(view) {
  const living = view.rows.filter((row) => !row.dead);
  const rows = living.length ? living : view.rows;
  const used = view.columns.map((_, k) => k).filter((k) => rows.some((row) => row.cells[k].p > 0));
  return used.length ? used : view.columns.map((_, k) => k);
}

// Lines of a cell, the most wanted first.
function cellLines(cell, show, valueKind) {
  const prob = cell.p === null ? [] : [formatProb(cell.p)];
  const value = cell.v === null ? [] : [formatValue(cell.v, valueKind)];
  const odds = cell.odds === null ? [] : [formatChance(cell.odds)];
  return { both: [...prob, ...value], p: prob, v: value, odds }[show];
}

// The same for a screen reader, which needs to be told what each number is.
function cellLabel(row, column, cell, valueKind) {
  const words = [`hand ${row.name}, ${column.name}`];
  if (cell.p !== null) words.push(cell.p === 0 ? "never" : `played ${formatProb(cell.p)}`);
  if (cell.v !== null) {
    words.push(`${valueKind === "win" ? "wins" : "value"} ${formatValue(cell.v, valueKind)}`);
  }
  if (cell.odds !== null) words.push(`odds by dice alone ${formatChance(cell.odds)}`);
  return words.join(", ");
}

// The likeliest hands first, and how many are left out.
function mainBars(bars, most) {
  const sorted = bars.filter((bar) => bar.now !== 0).sort((a, b) => b.now - a.now);
  return { shown: sorted.slice(0, most), rest: Math.max(sorted.length - most, 0) };
}

// A data block: base64 of packed JSON text.
async function unpack(letters) {
  const bytes = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

// ---- On the page -----------------------------------------------------------------------------

const MOST_BARS = 12;
const at = { meta: null, path: [], view: null, ticket: 0, row: 0, column: 0, blocks: new Map() };

const find = (id) => document.getElementById(id);

function make(tag, text, attributes = {}) {
  const element = document.createElement(tag);
  if (text !== null) element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

// A block is unpacked when a place in it is first looked at, and kept.
function block(name) {
  if (!at.blocks.has(name)) at.blocks.set(name, unpack(find(`data-${name}`).textContent));
  return at.blocks.get(name);
}

async function stateAt(path) {
  const first = path.length ? path[0] : "";
  if (!Object.hasOwn(at.meta.branches, first)) return undefined;
  const states = await block(at.meta.branches[first]);
  const key = joinPath(path, at.meta.family);
  return Object.hasOwn(states, key) ? states[key] : undefined;
}

function hashOf(path) {
  return `#${joinPath(path.map((part) => encodeURIComponent(part)), at.meta.family)}`;
}

// A frame without an address of its own, as in a notebook, has no place for a hash.
function visit(path, takesFocus = false) {
  if (location.protocol === "about:" || hashOf(path) === (location.hash || "#")) {
    show(path, takesFocus);
  } else {
    at.takesFocus = takesFocus;
    location.hash = hashOf(path);
  }
}

function linkTo(path, text) {
  const link = make("a", text, { href: hashOf(path) });
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a new tab is wanted
    event.preventDefault();
    visit(path);
  });
  return link;
}

async function show(asked, takesFocus = false) {
  const ticket = ++at.ticket;
  let path = asked;
  let words = "";
  if (at.meta.family === "bidding") {
    path = asked.slice(0, follow(at.meta, asked).length - 1);
    if (path.length < asked.length) {
      const there = path.length ? `after ${path.join(", ")}` : "at the start";
      words = `${asked[path.length]} is no bid that the rules allow ${there}.`;
    }
  } else if (asked.length) {
    path = [nameClaim(at.meta, asked[0]), ...asked.slice(1)];
  }
  let state;
  try {
    state = await stateAt(path);
  } catch {
    words = "The data of this place cannot be read: the file is damaged, or the browser is old.";
  }
  if (ticket !== at.ticket) return; // somewhere else has been asked for meanwhile
  const makeView = at.meta.family === "cup" ? viewCup : viewBidding;
  Object.assign(at, { path, view: makeView(at.meta, path, state), row: 0, column: 0 });
  find("status").textContent = words;
  drawCrumbs();
  drawView();
  if (takesFocus) focusCell();
}

function drawCrumbs() {
  const items = [["start", []], ...at.path.map((part, k) => [part, at.path.slice(0, k + 1)])];
  find("crumbs").replaceChildren(
    ...items.map(([text, path], k) => {
      const item = make("li", null);
      const isLast = k === items.length - 1;
      item.append(isLast ? make("span", text, { "aria-current": "page" }) : linkTo(path, text));
      return item;
    })
  );
}

function drawView() {
  const { view } = at;
  find("heading").textContent = view.heading;
  find("summary").textContent = view.summary.join(" ");
  const shown = find("used").checked ? usedColumns(view) : view.columns.map((_, k) => k);
  const rows = view.rows.filter((row) => hasAll(row.tokens, find("filter").value));
  find("scroll").replaceChildren(...(view.columns.length ? [drawTable(view, rows, shown)] : []));
  const hidden = view.columns.length - shown.length;
  const notes = [view.legend, "Arrows move, Enter opens a column, Backspace goes back, / searches."];
  if (hidden) notes.unshift(`${hidden} actions that are hardly ever played are hidden.`);
  if (rows.length < view.rows.length) {
    notes.unshift(`${rows.length} of ${view.rows.length} hands.`);
  }
  find("hint").textContent = notes.join(" ");
  find("beliefs").replaceChildren(...view.beliefs.map(drawBelief));
}

function drawTable(view, rows, shown) {
  const table = make("table", null, { role: "grid" });
  table.append(make("caption", `${view.heading}: ${view.rowHead} by action`));
  const heads = make("tr", null);
  heads.append(make("th", view.rowHead, { scope: "col" }));
  for (const k of shown) {
    const { name, path } = view.columns[k];
    const head = make("th", path ? null : name, { scope: "col" });
    if (path) head.append(linkTo(path, name));
    heads.append(head);
  }
  heads.append(...view.extraHeads.map((name) => make("th", name, { scope: "col" })));
  const top = make("thead", null);
  top.append(heads);
  const body = make("tbody", null);
  body.append(...rows.map((row) => drawRow(view, row, shown)));
  table.append(top, body);
  const first = table.querySelector("td.cell");
  if (first) first.tabIndex = 0; // one stop for Tab; arrows go on from there
  return table;
}

function drawRow(view, row, shown) {
  const line = make("tr", null, row.dead ? { class: "dead" } : {});
  line.append(make("th", row.name, { scope: "row" }));
  for (const k of shown) {
    const column = view.columns[k];
    const cell = row.cells[k];
    const [first, ...others] = cellLines(cell, find("show").value, view.valueKind);
    const square = make("td", first ?? "", {
      class: column.path ? "cell open" : "cell",
      role: "gridcell",
      tabindex: "-1",
      "aria-label": cellLabel(row, column, cell, view.valueKind),
    });
    square.style.setProperty("--p", String(Math.max(cell.p ?? 0, 0) / 1000));
    square.append(...others.map((text) => make("small", text)));
    if (column.path) square.addEventListener("click", () => visit(column.path));
    square.addEventListener("focus", () => rememberCell(square));
    square.openPath = column.path;
    line.append(square);
  }
  line.append(...row.extras.map((text) => make("td", text)));
  return line;
}

// Bars say what is believed now, ticks what the dice alone say.
function drawBelief({ title, bars }) {
  const { shown, rest } = mainBars(bars, MOST_BARS);
  const box = make("div", null, { class: "belief" });
  const svg = find("bars").content.querySelector("svg").cloneNode(true);
  const [left, width, height] = [90, 150, 18];
  const longest = Math.max(1, ...shown.map((bar) => Math.max(bar.now, bar.before)));
  const scale = (thousandths) => (Math.max(thousandths, 0) / longest) * width;
  const part = (tag, attributes, text) => {
    const element = document.createElementNS(svg.namespaceURI, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text) element.textContent = text;
    svg.append(element);
  };
  svg.setAttribute("viewBox", `0 0 320 ${height * shown.length}`);
  svg.setAttribute("width", "320");
  svg.setAttribute("height", String(height * shown.length));
  svg.setAttribute(
    "aria-label",
    shown
      .map((bar) => `${bar.name}: ${formatProb(bar.now)}, by dice alone ${formatProb(bar.before)}`)
      .join("; ")
  );
  shown.forEach((bar, k) => {
    const y = k * height;
    const tick = left + scale(bar.before);
    part("text", { x: left - 6, y: y + 13, "text-anchor": "end" }, bar.name);
    part("rect", { class: "now", x: left, y: y + 3, width: scale(bar.now), height: 12 });
    part("line", { class: "before", x1: tick, x2: tick, y1: y + 1, y2: y + 17 });
    part("text", { x: left + width + 8, y: y + 13 }, formatProb(bar.now));
  });
  box.append(make("h3", title), svg);
  box.append(make("small", `${rest ? `${rest} others are less likely. ` : ""}Lines: by dice alone.`));
  return box;
}

// ---- Keys ------------------------------------------------------------------------------------

function grid() {
  return [...document.querySelectorAll("tbody tr")].map((line) => [
    ...line.querySelectorAll("td.cell"),
  ]);
}

function rememberCell(square) {
  grid().forEach((line, row) =>
    line.forEach((cell, column) => {
      cell.tabIndex = cell === square ? 0 : -1;
      if (cell === square) Object.assign(at, { row, column });
    })
  );
}

function focusCell() {
  const cells = grid();
  const line = cells[Math.min(Math.max(at.row, 0), cells.length - 1)];
  line?.[Math.min(Math.max(at.column, 0), line.length - 1)]?.focus();
}

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function onKey(event) {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.matches?.("input, select, textarea")) {
    if (key === "Escape") target.blur();
    return;
  }
  if (key === "Backspace") {
    if (at.path.length) visit(at.path.slice(0, -1), true);
  } else if (key === "/") {
    find("search").focus();
  } else if (key in STEPS) {
    if (target.matches?.("td.cell")) {
      at.row = Math.max(at.row + STEPS[key][0], 0);
      at.column = Math.max(at.column + STEPS[key][1], 0);
    }
    focusCell();
  } else if (key === "Enter" && target.openPath) {
    visit(target.openPath, true);
  } else {
    return; // not ours
  }
  event.preventDefault();
}

function drawFooter({ meta } = at) {
  find("facts").replaceChildren(
    ...meta.facts.flatMap(([name, text]) => [make("dt", name), make("dd", text)])
  );
  find("rules").replaceChildren(...meta.rules.map((sentence) => make("li", sentence)));
  find("written").textContent = meta.note;
}

async function start() {
  try {
    at.meta = await block("meta");
  } catch {
    find("status").textContent =
      "This page cannot be read: the file is damaged, or the browser is too old to unpack it.";
    return;
  }
  drawFooter();
  if (at.meta.family === "cup") find("show").querySelector("[value=odds]").remove(); // none here
  find("finder").addEventListener("submit", (event) => {
    event.preventDefault();
    visit(parsePath(find("search").value, at.meta.family), true);
  });
  for (const id of ["show", "used"]) find(id).addEventListener("change", drawView);
  find("filter").addEventListener("input", drawView);
  find("skip").addEventListener("click", (event) => {
    event.preventDefault();
    focusCell();
  });
  document.addEventListener("keydown", onKey);
  window.addEventListener("hashchange", () => {
    const takesFocus = at.takesFocus;
    at.takesFocus = false;
    show(parsePath(location.hash, at.meta.family), takesFocus);
  });
  await show(parsePath(location.hash, at.meta.family));
}

if (typeof document === "undefined") {
  module.exports = {
    cellLabel, cellLines, follow, formatChance, formatProb, formatValue, hasAll, joinPath, mainBars, nameClaim,
    oddsOfAction, oddsTrue, parsePath, unpack, usedColumns, viewBidding, viewCup,
  };
} else {
  start();
}
