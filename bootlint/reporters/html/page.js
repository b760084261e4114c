// Draws the page from two JSON texts: `data` is what `bootlint show --output-format json` prints, `setup` the
// phrases in both languages, the signs, and where the rectangles of the map stand. File text only ever becomes
// text nodes. Lengths in `data` are UTF-16 units, columns code points, lines and columns 1-based.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const setup = JSON.parse(document.getElementById("setup").textContent);
const narrow = matchMedia("(max-width: 48rem)");
const state = { session: setup.session, language: setup.language, theme: "auto", file: 0, onlyLost: false };

const byId = (id) => document.getElementById(id);
const session = () => data.sessions.find((one) => one.session === state.session);
const files = () => session().files;
const file = () => files()[state.file];

function say(key, values = {}) {
  return setup.phrases[state.language][key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

function number(value) {
  return value === null ? "–" : value.toLocaleString(state.language);
}

function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

// --- texts of files -------------------------------------------------------------------------------------

// What a reader would not see, or what would turn the line around: the same as `wording.printable`, tabs aside.
const UNSEEN =
  /[\0-\x08\x0a-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{d800}-\u{dfff}\u{e0000}-\u{e007f}]/gu;

// A line may be megabytes long, and no browser lays that out in time: its middle is left out, and that is said.
const LONGEST = 10_000;

function visible(text) {
  if (text.length > LONGEST) {
    const [from, to] = [LONGEST / 2, text.length - LONGEST / 2];
    const gap = say("html-gap", { chars: number(to - from) });
    return [...visible(text.slice(0, from)), make("span", { className: "unseen" }, gap), ...visible(text.slice(to))];
  }
  const nodes = [];
  let at = 0;
  for (const match of text.matchAll(UNSEEN)) {
    const code = match[0].codePointAt(0);
    const [mark, digits] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
    const escaped = `\\${mark}${code.toString(16).padStart(digits, "0")}`;
    nodes.push(text.slice(at, match.index), make("span", { className: "unseen", textContent: escaped }));
    at = match.index + match[0].length;
  }
  return [...nodes, text.slice(at)];
}

function sourceLines(name) {
  if (!Object.hasOwn(data.sources, name)) return [];
  const lines = data.sources[name].text.split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines.map((line) => line.replace(/\r$/, ""));
}

// The stretches of a line that arrive, as [from, to) in code points.
function held(line) {
  return file().excerpts.flatMap(({ source }) =>
    source && source.line <= line && line <= source.end_line
      ? [[source.line === line ? source.column - 1 : 0, source.end_line === line ? source.end_column - 1 : Infinity]]
      : [],
  );
}

function torn(text, line) {
  const points = [...text];
  const nodes = [];
  let at = 0;
  for (const [from, to] of [...held(line), [points.length, points.length]]) {
    if (from > at) nodes.push(make("del", { className: "gone" }, ...visible(points.slice(at, from).join(""))));
    nodes.push(...visible(points.slice(Math.max(at, from), to).join("")));
    at = Math.max(at, to);
  }
  return nodes;
}

// The injected text line by line. A line is made of stretches, each with its part and its source line.
function injectedLines() {
  const lines = [[]];
  for (const { part, text, source } of file().excerpts) {
    const stretches = text.split("\n");
    stretches.forEach((stretch, index) => {
      if (index) lines.push([]);
      const isBlankLine = source && index < stretches.length - 1;
      if (stretch || isBlankLine) lines.at(-1).push({ part, text: stretch, line: source && source.line + index });
    });
  }
  return file().excerpts.length ? lines : [];
}

// --- a pane: rows in chunks that are filled when they come near --------------------------------------------

const ROWS_A_CHUNK = 200;
const MOST_ROWS = 400_000; // a browser's coordinates reach no further
const EAGER_CHUNKS = 20; // filled at once, so that the browser's own search finds what stands in usual files

class Pane {
  constructor(host, follow) {
    this.host = host;
    this.follow = follow;
    this.observer = new IntersectionObserver((seen) => seen.forEach((one) => one.isIntersecting && this.fill(one.target)), {
      root: host,
      rootMargin: "100%",
    });
    host.addEventListener("keydown", (event) => this.onKey(event));
    host.addEventListener("click", (event) => this.onRow(event, (index) => this.click(index)));
    host.addEventListener("mouseover", (event) => this.onRow(event, (index) => this.hover(index)));
    host.addEventListener("mouseleave", () => unlink());
  }

  // `draw(index)` makes a row; the text `nothing` stands in place of none.
  show(rows, draw, nothing) {
    const count = Math.min(rows, MOST_ROWS);
    this.count = count;
    this.draw = draw;
    this.chosen = -1;
    this.chunks = [];
    this.observer.disconnect();
    this.host.removeAttribute("aria-activedescendant");
    for (let first = 0; first < count; first += ROWS_A_CHUNK) {
      const chunk = make("div", { className: "chunk", role: "none" });
      chunk.first = first;
      chunk.style.containIntrinsicSize = `auto ${Math.min(ROWS_A_CHUNK, count - first) * 1.3}rem`;
      this.chunks.push(chunk);
    }
    const note = rows > count ? say("html-more-lines", { lines: number(rows - count) }) : nothing;
    const end = make("p", { className: "empty" }, note);
    this.host.replaceChildren(...this.chunks, ...(count && rows === count ? [] : [end]));
    this.host.scrollTop = 0;
    this.chunks.slice(0, EAGER_CHUNKS).forEach((chunk) => this.fill(chunk));
    this.chunks.slice(EAGER_CHUNKS).forEach((chunk) => this.observer.observe(chunk));
  }

  fill(chunk) {
    if (chunk.firstChild) return;
    for (let index = chunk.first; index < Math.min(chunk.first + ROWS_A_CHUNK, this.count); index++) {
      const row = this.draw(index);
      row.id = `${this.host.id}-${index}`;
      row.setAttribute("role", "option");
      row.setAttribute("aria-selected", "false");
      chunk.append(row);
    }
  }

  row(index) {
    const chunk = this.chunks[Math.floor(index / ROWS_A_CHUNK)];
    this.fill(chunk);
    return chunk.children[index - chunk.first];
  }

  click(index) {
    if (index < 0 || index >= this.count) return;
    this.choose(index);
    this.follow(index, false);
  }

  choose(index) {
    if (this.chosen >= 0) this.row(this.chosen).setAttribute("aria-selected", "false");
    const row = this.row(index);
    this.chosen = index;
    row.setAttribute("aria-selected", "true");
    this.host.setAttribute("aria-activedescendant", row.id);
    this.scrollTo(row);
  }

  // Only the pane scrolls, never the page.
  scrollTo(row) {
    const { top, bottom, height } = this.host.getBoundingClientRect();
    const place = row.getBoundingClientRect();
    if (place.top < top || place.bottom > bottom) this.host.scrollTop += place.top - top - height / 3;
  }

  onRow(event, act) {
    const row = event.target.closest(".row");
    if (row) act(Number(row.id.split("-")[1]));
  }

  onKey(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -Infinity, End: Infinity };
    if (!this.count || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in steps) this.choose(Math.max(0, Math.min(this.count - 1, this.chosen + steps[event.key])));
    else if ((event.key === "Enter" || event.key === " ") && this.chosen >= 0) this.follow(this.chosen, true);
    else return;
    event.preventDefault();
  }

  hover(index) {
    unlink();
    linkedTo(this, index).forEach(([pane, other]) => pane.row(other).classList.add("linked"));
  }
}

// --- one file: source and injected text side by side --------------------------------------------------------

const shown = { text: [], fates: [], lines: [], injected: [], places: new Map(), lostRules: new Set() };
const source = new Pane(byId("source"), (index, moves) => followSource(index, moves));
const injected = new Pane(byId("injected"), (index, moves) => followInjected(index, moves));

const word = (mark) => say(mark === "lost-rule" ? mark : `fate-${mark}`);

function mark(line) {
  return shown.lostRules.has(line) ? "lost-rule" : shown.fates[line - 1];
}

function row(kind, line, meaning, ...text) {
  return make(
    "div",
    { className: `row ${kind}` },
    make("span", { className: "number", textContent: line }),
    make("span", { className: "sign", textContent: setup.signs[kind], title: meaning, role: "img", ariaLabel: meaning }),
    make("span", { className: "text" }, ...text),
  );
}

function sourceRow(index) {
  const line = shown.lines[index];
  const text = shown.text[line - 1];
  const isTorn = ["cut", "digest-cut"].includes(shown.fates[line - 1]);
  return row(mark(line), line, word(mark(line)), ...(isTorn ? torn(text, line) : visible(text)));
}

function injectedRow(index) {
  const stretches = shown.injected[index];
  const first = stretches[0] ?? { part: "marker", line: null };
  const texts = stretches.map(({ part, text }) => make("span", { className: part }, ...visible(text)));
  return row(first.part, first.line ?? "", say(`part-${first.part}`), ...texts);
}

function drawFile() {
  const { name, fates, lost_rules } = file();
  byId("file-title").textContent = name;
  byId("told").textContent = "";
  shown.text = sourceLines(name);
  shown.lostRules = new Set(lost_rules);
  shown.fates = fates.flatMap(({ fate, first, last }) => Array(last - first + 1).fill(fate ?? "not-sent"));
  shown.lines = shown.fates.map((_, index) => index + 1).filter((line) => !state.onlyLost || shown.lostRules.has(line));
  shown.injected = injectedLines();
  shown.places = new Map();
  shown.injected.forEach((stretches, place) => {
    for (const { part, line } of stretches) {
      if (!line) continue;
      const places = shown.places.get(line) ?? [];
      shown.places.set(line, part === "digest" ? [...places, place] : [place, ...places]);
    }
  });
  source.show(shown.lines.length, sourceRow, say(state.onlyLost ? "html-no-lost-rules" : "html-no-source"));
  injected.show(shown.injected.length, injectedRow, say("html-no-injected"));
}

const placesOf = (index) => (shown.places.get(shown.lines[index]) ?? []).filter((at) => at < injected.count);
const linesOf = (index) =>
  shown.injected[index].map(({ line }) => shown.lines.indexOf(line)).filter((at) => at >= 0 && at < source.count);

function linkedTo(pane, index) {
  return pane === source ? placesOf(index).map((at) => [injected, at]) : linesOf(index).map((at) => [source, at]);
}

function unlink() {
  document.querySelectorAll(".row.linked").forEach((one) => one.classList.remove("linked"));
}

function followSource(index, moves) {
  const line = shown.lines[index];
  const [place] = placesOf(index);
  const where = place === undefined ? say("html-nowhere") : say("html-arrives", { line: number(place + 1) });
  go(injected, place, moves, `${say("html-line", { line: number(line) })} (${word(mark(line))}) → ${where}`);
}

function followInjected(index, moves) {
  const [first] = shown.injected[index];
  const [place] = linesOf(index);
  const where = first?.line ? say("html-comes-from", { line: number(first.line) }) : say("html-from-openclaw");
  const part = say(`part-${first?.part ?? "marker"}`);
  go(source, place, moves, `${say("html-line", { line: number(index + 1) })} (${part}) ← ${where}`);
}

function go(pane, index, moves, told) {
  byId("told").textContent = told;
  if (index === undefined) return;
  pane.choose(index);
  if (moves) pane.host.focus({ preventScroll: true });
}

function openFile(index, part) {
  state.file = index;
  state.onlyLost &&= file().lost_rules.length > 0;
  draw();
  byId("file-title").scrollIntoView({ block: "start" });
  if (part === undefined || part === "lost") {
    const isLost = (line) => !["blank", "kept", "digest", "not-sent"].includes(shown.fates[line - 1]);
    if (part) source.click(shown.lines.findIndex(isLost));
    source.host.focus({ preventScroll: true });
  } else {
    injected.click(shown.injected.findIndex((stretches) => stretches.some((one) => one.part === part)));
    injected.host.focus({ preventScroll: true });
  }
}

// --- the whole context ------------------------------------------------------------------------------------

function cost({ chars, estimated_tokens, tokens }) {
  const values = { chars: number(chars), estimated: number(estimated_tokens), tokens: number(tokens) };
  return say(tokens === null ? "html-cost-estimated" : "html-cost", values);
}

const charsOf = (one, part) => (part === "lost" ? one.lost_chars : one.parts[part].chars);

function drawMap() {
  const cells = setup.layouts[state.session][narrow.matches ? "narrow" : "wide"];
  byId("map").replaceChildren(...cells.map(drawCell));
}

function drawCell({ file: index, part, x, y, width, height }) {
  const one = files()[index];
  const cell = part ? drawPart(index, one, part) : make("div", { className: "frame" }, make("b", {}, one.name));
  Object.assign(cell.style, { left: `${x}%`, top: `${y}%`, width: `${width}%`, height: `${height}%` });
  if (part) cell.classList.toggle("aside", state.onlyLost && !one.lost_rules.length);
  return cell;
}

function drawPart(index, one, part) {
  const chars = number(charsOf(one, part));
  const name = say(`part-${part}`);
  const amount = part === "lost" ? say("html-chars", { chars }) : cost(one.parts[part]);
  const title = `${one.name}, ${name}: ${amount}`;
  const cell = make(
    "button",
    { type: "button", className: `swatch ${part}`, title, ariaLabel: title },
    make("span", {}, `${setup.signs[part]} ${chars} ${name}`),
  );
  Object.assign(cell.dataset, { file: one.name, part });
  cell.addEventListener("click", () => openFile(index, part));
  return cell;
}

function drawLegend() {
  const meanings = [
    ["swatch head", "kept", say("fate-kept")],
    ["swatch digest", "digest", say("fate-digest")],
    ["swatch cut", "cut", say("fate-cut")],
    ["swatch lost", "lost", say("part-lost")],
    ["swatch lost-rule", "lost-rule", say("lost-rule")],
    ["swatch marker", "marker", say("part-marker")],
  ];
  byId("legend").replaceChildren(
    ...meanings.map(([look, sign, meaning]) =>
      make("li", {}, make("b", { className: look, ariaHidden: "true" }, setup.signs[sign]), meaning),
    ),
  );
}

function drawFigures() {
  const { raw_chars, injected_chars, lost_chars, priority_rules, reached, start } = session().totals;
  const figures = [
    ["", "html-on-disk", number(raw_chars), say("html-characters")],
    ["", "html-arrives-all", number(injected_chars), say("html-characters")],
    ["lost", "part-lost", number(lost_chars), say("html-characters")],
    [reached < priority_rules ? "lost" : "kept", "html-rules", `${number(reached)}/${number(priority_rules)}`, say("html-rules-unit")],
    ["", "html-start", number(start.tokens ?? start.estimated_tokens), tokenSource(start)],
  ];
  byId("figures").replaceChildren(
    ...figures.map(([className, key, value, unit]) =>
      make("div", { className }, make("dt", {}, say(key)), make("dd", {}, value, make("small", {}, unit))),
    ),
  );
}

function tokenSource({ chars, estimated_tokens, tokens }) {
  const values = { chars: number(chars), estimated: number(estimated_tokens), encoding: data.tokenizer };
  return say(tokens === null ? "html-start-estimated" : "html-start-counted", values);
}

const COLUMNS = [
  ["html-column-file", (one, index) => fileButton(one, index)],
  ["html-column-status", (one) => status(one)],
  ["html-on-disk", (one) => number(one.raw_chars)],
  ["html-arrives-all", (one) => number(one.injected.chars)],
  ["part-lost", (one) => number(one.lost_chars)],
  ["part-free", (one) => number(one.headroom)],
  ["html-column-estimated", (one) => number(one.injected.estimated_tokens)],
  ["html-column-tokens", (one) => number(one.injected.tokens)],
  ["html-column-lost-rules", (one) => number(one.lost_rules.length)],
].filter(([key]) => data.tokenizer || key !== "html-column-tokens");

function drawTable() {
  const head = COLUMNS.map(([key]) => make("th", { scope: "col" }, say(key, { encoding: data.tokenizer })));
  const rows = files().map((one, index) => {
    const [name, ...cells] = COLUMNS.map(([, value]) => value(one, index));
    const className = index === state.file ? "current" : "";
    return make("tr", { className }, make("th", { scope: "row" }, name), ...cells.map((cell) => make("td", {}, cell)));
  });
  byId("files").replaceChildren(
    make("thead", {}, make("tr", {}, ...head)),
    make("tbody", {}, ...rows),
  );
}

function fileButton(one, index) {
  const button = make("button", { type: "button", textContent: one.name });
  button.addEventListener("click", () => openFile(index));
  return button;
}

function status(one) {
  if (one.status !== "injected") return say(`status-${one.status}`);
  const causes = one.causes.map((cause) => say(`cause-${cause}`)).join(", ");
  const whole = one.causes.length ? `${say("fate-cut")} (${causes})` : say("show-cell-whole");
  return one.in_context ? whole : `${whole}; ${say("show-not-in-context")}`;
}

// --- switches ---------------------------------------------------------------------------------------------

const SWITCHES = [
  ["session", () => data.sessions.map((one) => [one.session, one.session])],
  ["language", () => [["en", "English"], ["zh", "中文"]]],
  ["theme", () => ["auto", "light", "dark"].map((theme) => [theme, say(`html-theme-${theme}`)])],
];

function drawSwitches() {
  const focused = document.activeElement?.id;
  byId("switches").replaceChildren(
    ...SWITCHES.map(([name, choices]) =>
      make(
        "fieldset",
        {},
        make("legend", {}, say(`html-${name}`)),
        ...choices().map(([value, text]) => make("label", {}, choice(name, value), text)),
      ),
    ),
  );
  byId(focused)?.focus();
}

function choice(name, value) {
  const input = make("input", { type: "radio", name, value, id: `${name}-${value}`, checked: state[name] === value });
  input.addEventListener("change", () => {
    state[name] = value;
    if (name === "theme") showTheme();
    else draw();
  });
  return input;
}

function showTheme() {
  document.documentElement.dataset.theme = state.theme;
}

function draw() {
  document.documentElement.lang = state.language === "zh" ? "zh-CN" : "en";
  document.title = `bootlint: ${say("html-title")}`;
  document.querySelectorAll("[data-say]").forEach((one) => (one.textContent = say(one.dataset.say)));
  const { max_chars, total_max_chars } = data.limits;
  const limits = { release: data.release, limit: number(max_chars), total: number(total_max_chars) };
  const basis = say(total_max_chars === null ? "html-basis-without-total" : "html-basis", limits);
  const assumed = say("assumed", { release: data.release, known: data.known_as });
  byId("basis").textContent = data.known_as === data.release ? basis : `${basis} · ${assumed}`;
  byId("filter").checked = state.onlyLost;
  [drawSwitches, drawFigures, drawMap, drawLegend, drawTable, drawFile].forEach((part) => part());
}

byId("filter").addEventListener("change", (event) => {
  state.onlyLost = event.target.checked;
  if (state.onlyLost && !file().lost_rules.length) {
    state.file = Math.max(0, files().findIndex((one) => one.lost_rules.length));
  }
  draw();
});
narrow.addEventListener("change", drawMap);
draw();
