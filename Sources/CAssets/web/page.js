// The page's script, in one piece and without anything else. In its order: where things are, what
// elements are made with, the list, what is done with entries, uploads, drops, previews, live changes,
// the texts. Whatever comes from the server becomes text by textContent, and never markup.
"use strict";
(() => {

// MARK: Where things are

const settings = document.querySelector("meta[name=wharf]").dataset;
// This script lies in `.wharf` below the share's folder: so it works whatever a proxy puts in front.
const home = new URL("../", document.currentScript.src);
const service = name => new URL(".wharf/" + name, home);
const mayWrite = settings.writable === "yes";
const extensions = settings.extensions ? settings.extensions.split(",") : null;
const uploadMax = settings.uploadmax ? Number(settings.uploadmax) : Infinity;

const state = {
  folder: "/",           // percent-encoded, below the share, with slashes at both ends
  entries: [],           // as they came, with what sorting needs
  shown: [],             // those that the search leaves, in order
  isComplete: true,
  sort: "name", isDescending: false, query: "",
  selected: new Set(),   // hrefs
  anchor: -1, focus: 0,
  renaming: null,
  hasFailed: false,      // what is shown is not what is there
  number: 0,             // of the load that counts
};

const decode = text => { try { return decodeURIComponent(text); } catch { return unescapeBytes(text); } };

// What is no UTF-8: each byte that isn't becomes a replacement character.
function unescapeBytes(text) {
  const bytes = [];
  for (let i = 0; i < text.length; i++) {
    const code = text[i] === "%" ? parseInt(text.slice(i + 1, i + 3), 16) : NaN;
    if (Number.isNaN(code)) bytes.push(...new TextEncoder().encode(text[i]));
    else { bytes.push(code); i += 2; }
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

const encode = name => encodeURIComponent(name).replace(/[!'()*]/g, c => "%" + c.charCodeAt(0).toString(16).toUpperCase());
const urlOf = path => new URL("." + path, home);
const pathOf = entry => state.folder + entry.href;
// A name to read: controls, and what turns the direction of writing, would deceive.
const shownName = name => name.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
const lastName = path => shownName(decode(path.replace(/\/$/, "").split("/").pop()));
const parentOf = path => path.replace(/[^/]+\/?$/, "");

function folderOfLocation() {
  const path = location.pathname.slice(home.pathname.length - 1);
  return path.endsWith("/") ? path : "/";
}

// MARK: What elements are made with

const $ = id => document.getElementById(id);
const language = document.documentElement.lang;
let texts;               // set where they stand, at the end

function t(key, values = {}) {
  let text = texts[key] ?? TEXTS.en[key] ?? key;
  if (typeof text === "object") {
    const rule = new Intl.PluralRules(language).select(values.n);
    text = text[rule] ?? text.other;
  }
  return text.replace(/\{(\w+)\}/g, (all, name) => {
    const value = values[name];
    return value === undefined ? all : typeof value === "number" ? number.format(value) : isolated(value);
  });
}

const number = new Intl.NumberFormat(language);
// A name in a sentence keeps to its own direction.
const isolated = text => "\u2068" + text + "\u2069";

function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element && name !== "list") element[name] = value;
    else if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

function icon(name, className = "") {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", "#i-" + name);
  svg.setAttribute("aria-hidden", "true");
  if (className) svg.setAttribute("class", className);
  svg.append(use);
  return svg;
}

function iconButton(name, label, action, className = "icon") {
  return make("button", { type: "button", className, title: label, "aria-label": label, onclick: action }, icon(name));
}

const button = (label, action, className = "") =>
  make("button", { type: "button", className, onclick: action }, label);

function size(count) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte", "petabyte"];
  let value = count, unit = 0;
  while (value >= 999.5 && unit < units.length - 1) { value /= 1000; unit++; }
  const digits = unit > 0 && value < 9.95 ? 1 : 0;
  return new Intl.NumberFormat(language, { style: "unit", unit: units[unit], unitDisplay: unit ? "short" : "narrow",
    maximumFractionDigits: digits, minimumFractionDigits: digits }).format(value).replace(/(\d)(?=[^\d\s.,])/, "$1 ");
}

const dateFormat = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
const date = time => Number.isNaN(time) ? "" : dateFormat.format(time);

function duration(seconds) {
  const unit = (value, name) => new Intl.NumberFormat(language,
    { style: "unit", unit: name, unitDisplay: "short" }).format(Math.max(1, Math.round(value)));
  if (seconds < 60) return unit(seconds, "second");
  return seconds < 5400 ? unit(seconds / 60, "minute") : unit(seconds / 3600, "hour");
}

// Says something to a screen reader, and nothing twice.
let lastSaid = "";
function say(text) {
  if (text === lastSaid) return;
  lastSaid = text;
  $("live").textContent = text;
}

// A message with what can be done; `key` keeps one of a kind.
function banner(key, text, actions = [], isBad = true) {
  document.querySelector(`.banner[data-key="${key}"]`)?.remove();
  const box = make("div", { className: isBad ? "banner bad" : "banner", role: isBad ? "alert" : "status", "data-key": key },
    icon(isBad ? "warn" : "up"), make("div", {}, make("p", { textContent: text })));
  const buttons = make("div", { className: "buttons" },
    ...actions.map(([label, action]) => button(label, () => { box.remove(); action(); })),
    iconButton("close", t("dismiss"), () => box.remove()));
  box.append(buttons);
  $("banners").append(box);
}

const clearBanner = key => document.querySelector(`.banner[data-key="${key}"]`)?.remove();

// A dialog; `fill` puts in what it asks and answers what has the focus. Resolves with what it was
// closed with, `null` if it was dismissed.
function dialog(title, fill, className = "") {
  return new Promise(resolve => {
    const before = document.activeElement;
    let answer = null;
    const heading = make("h2", { textContent: title, id: "dialog-title" });
    const box = make("dialog", { className, "aria-labelledby": "dialog-title" });
    const close = value => { answer = value; box.close(); };
    box.append(heading);
    const focus = fill(box, close);
    box.addEventListener("close", () => {
      box.remove();
      if (before?.isConnected) before.focus();
      else focusRow(state.focus);
      resolve(answer);
    });
    box.addEventListener("click", event => { if (event.target === box) box.close(); });
    document.body.append(box);
    box.showModal();
    focus?.focus();
  });
}

const dialogButtons = (...buttons) => make("div", { className: "buttons" }, ...buttons);

// A small menu at an element; items are [icon, label, action, class].
function menu(anchor, items) {
  document.querySelector(".menu")?.remove();
  const box = make("div", { className: "menu", role: "menu", popover: "auto" });
  for (const [name, label, action, className] of items) {
    box.append(make("button", { type: "button", role: "menuitem", className: className ?? "", tabIndex: -1,
      onclick: () => { box.hidePopover(); action(); } }, icon(name), make("span", { textContent: label })));
  }
  document.querySelector("main").append(box);
  box.showPopover();
  const place = anchor.getBoundingClientRect();
  const isRight = place.left + box.offsetWidth > innerWidth - 8;
  const isLow = place.bottom + box.offsetHeight > innerHeight - 8;
  box.style.left = Math.max(8, isRight ? place.right - box.offsetWidth : place.left) + "px";
  box.style.top = Math.max(8, isLow ? place.top - box.offsetHeight - 4 : place.bottom + 4) + "px";
  anchor.setAttribute("aria-expanded", "true");
  const entries = [...box.children];
  entries[0]?.focus();
  box.addEventListener("keydown", event => {
    const at = entries.indexOf(document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[event.key];
    if (next !== undefined) { event.preventDefault(); entries[(next + entries.length) % entries.length].focus(); }
    if (event.key === "Tab") box.hidePopover();
  });
  box.addEventListener("toggle", event => {
    if (event.newState !== "closed") return;
    anchor.setAttribute("aria-expanded", "false");
    const isInside = box.contains(document.activeElement) || document.activeElement === document.body;
    box.remove();
    if (isInside && anchor.isConnected) anchor.focus();
  });
}

// MARK: Asking the server

class Refusal extends Error {
  constructor(status) { super("status " + status); this.status = status; }
}

async function ask(url, options = {}) {
  let answer;
  try { answer = await fetch(url, { credentials: "same-origin", ...options }); } catch { throw new Refusal(0); }
  if (!answer.ok) throw new Refusal(answer.status);
  return answer;
}

const command = (name, body) => ask(service(name), { method: "POST", body: JSON.stringify(body),
  headers: { "Content-Type": "application/json", Accept: "application/json" } });

// What went wrong, and what can be done, for people.
function reason(error, name = "") {
  const status = error.status ?? -1;
  const key = { 0: "errorNetwork", 400: "errorName", 401: "errorLogin", 403: "errorForbidden", 404: "errorGone",
    405: "errorTaken", 409: "errorConflict", 412: "errorTaken", 413: "errorLarge", 414: "errorName", 423: "errorLocked",
    429: "errorBusy", 503: "errorBusy", 507: "errorFull" }[status] ?? "errorOther";
  return t(key, { name, n: status });
}

// MARK: The list

const collator = new Intl.Collator(language, { numeric: true, sensitivity: "base" });

function take(entries) {
  return entries.map(entry => ({
    name: shownName(entry.name), href: entry.href, isFolder: entry.type === "folder",
    size: entry.size ?? 0, time: Date.parse(entry.modified),
  }));
}

// Loads the folder; `isQuiet` keeps what is there until the new list has come.
async function load(isQuiet = false) {
  const mine = ++state.number;
  const folder = state.folder;
  if (!isQuiet) { state.entries = []; $("rows").setAttribute("aria-busy", "true"); }
  try {
    const answer = await ask(urlOf(folder), { headers: { Accept: "application/json" } });
    const list = await answer.json();
    if (mine !== state.number) return;
    state.entries = take(list.entries);
    state.isComplete = list.isComplete;
    clearBanner("list");
    state.hasFailed = false;
  } catch (error) {
    if (mine !== state.number) return;
    state.hasFailed = true;
    if (error.status === 404) {
      banner("list", t("folderGone"), folder === "/" ? [] : [[t("goUp"), () => go(parentOf(folder))]]);
      state.entries = [];
    } else {
      banner("list", reason(error), [[t("retry"), () => load()]]);
    }
  }
  $("rows").removeAttribute("aria-busy");
  const hrefs = new Set(state.entries.map(entry => entry.href));
  for (const href of state.selected) if (!hrefs.has(href)) state.selected.delete(href);
  arrange();
}

// Sorts and searches, and draws what comes of it.
function arrange() {
  const query = state.query.normalize("NFC").toLocaleLowerCase(language);
  const kept = query ? state.entries.filter(entry =>
    entry.name.normalize("NFC").toLocaleLowerCase(language).includes(query)) : state.entries.slice();
  const byName = kept.length > 400 ? fastByName(kept) : (a, b) => collator.compare(a.name, b.name);
  const compare = { name: byName, size: (a, b) => a.size - b.size || byName(a, b),
    date: (a, b) => a.time - b.time || byName(a, b) }[state.sort];
  const sign = state.isDescending ? -1 : 1;
  kept.sort((a, b) => a.isFolder === b.isFolder ? sign * compare(a, b) : a.isFolder ? -1 : 1);
  const focused = state.shown[state.focus]?.href;
  state.shown = kept;
  const at = kept.findIndex(entry => entry.href === focused);
  state.focus = Math.max(0, at >= 0 ? at : Math.min(state.focus, kept.length - 1));
  drawHead();
  drawRows(true);
  drawAround();
  // For whoever measures: the rows are there.
  if (!performance.getEntriesByName("rows").length && kept.length) performance.mark("rows");
}

// The server has sorted by name already: its order costs nothing.
function fastByName(entries) {
  const places = new Map(state.entries.map((entry, index) => [entry, index]));
  return (a, b) => places.get(a) - places.get(b);
}

function drawHead() {
  for (const head of document.querySelectorAll("[data-sort]")) {
    const isIt = head.dataset.sort === state.sort;
    head.parentElement.setAttribute("aria-sort", isIt ? (state.isDescending ? "descending" : "ascending") : "none");
  }
}

function drawAround() {
  const count = state.shown.length;
  $("list").setAttribute("aria-rowcount", count + 1);
  $("list").hidden = count === 0;
  $("empty").hidden = count > 0 || state.hasFailed;
  $("card").hidden = state.hasFailed && !state.entries.length;
  if (!count) {
    $("empty-text").textContent = state.query ? t("noMatch", { name: state.query }) : t("empty");
    $("empty-hint").textContent = state.query || !mayWrite ? "" : t("emptyHint");
  }
  const folders = state.shown.filter(entry => entry.isFolder).length;
  const bytes = state.shown.reduce((sum, entry) => sum + entry.size, 0);
  const parts = [];
  if (folders) parts.push(t("folders", { n: folders }));
  if (count - folders) parts.push(t("files", { n: count - folders }) + " · " + size(bytes));
  $("count").textContent = state.isComplete ? parts.join(" · ") : t("cut", { n: count });
  drawSelection();
}

function drawSelection() {
  const count = state.selected.size;
  $("selection").hidden = count === 0;
  $("card").classList.toggle("picking", count > 0);
  document.body.classList.toggle("picking-phone", count > 0);
  $("selected").textContent = count ? t("selected", { n: count }) : "";
  $("move").hidden = $("delete").hidden = !mayWrite;
  const all = $("all");
  all.checked = count > 0 && count === state.shown.length;
  all.indeterminate = count > 0 && count < state.shown.length;
  for (const [index, row] of rows) markRow(row, state.shown[index]);
}

// Only the rows that can be seen are there: ten thousand cost what thirty do.
const rows = new Map();
let rowHeight = 48;

function drawRows(isFresh = false) {
  const box = $("rows");
  if (isFresh) {
    rowHeight = parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--row")) || 48;
    box.style.height = state.shown.length * rowHeight + "px";
  }
  const hadFocus = isFresh && box.contains(document.activeElement) && !state.renaming;
  const top = box.getBoundingClientRect().top;
  const first = Math.max(0, Math.floor(-top / rowHeight) - 8);
  const last = Math.min(state.shown.length - 1, Math.ceil((innerHeight - top) / rowHeight) + 8);
  for (const [index, row] of rows) {
    const isKept = !isFresh && (index >= first && index <= last || row.contains(document.activeElement));
    const isRenamed = isFresh && state.renaming && state.shown[index]?.href === state.renaming && row.dataset.href === state.renaming;
    if (!isKept && !isRenamed) { row.remove(); rows.delete(index); }
  }
  for (let index = first; index <= last; index++) {
    if (!rows.has(index)) addRow(index);
  }
  if (!rows.has(state.focus) && state.focus < state.shown.length) addRow(state.focus);
  if (hadFocus) rows.get(state.focus)?.focus({ preventScroll: true });
}

function addRow(index) {
  const row = makeRow(state.shown[index], index);
  row.style.top = index * rowHeight + "px";
  rows.set(index, row);
  // In the order of the list, for those who read it in the document's.
  const after = [...rows.keys()].filter(other => other > index).sort((a, b) => a - b)[0];
  $("rows").insertBefore(row, after === undefined ? null : rows.get(after));
}

function kind(entry) {
  if (entry.isFolder) return "folder";
  const extension = entry.name.split(".").pop().toLowerCase();
  for (const [name, list] of Object.entries(KINDS)) if (list.includes(extension)) return name;
  return "file";
}

const KINDS = {
  image: ["jpg", "jpeg", "png", "gif", "webp", "avif", "svg", "bmp", "ico", "heic", "tif", "tiff"],
  film: ["mp4", "m4v", "mov", "webm", "mkv", "avi", "ogv"],
  sound: ["mp3", "m4a", "aac", "ogg", "oga", "opus", "wav", "flac"],
  text: ["txt", "md", "json", "csv", "tsv", "xml", "html", "htm", "css", "js", "ts", "swift", "c", "h", "cpp", "py", "rb", "go",
    "rs", "java", "kt", "sh", "yml", "yaml", "toml", "ini", "cfg", "conf", "log", "sql", "tex", "srt", "vtt", "plist", "pdf"],
  pack: ["zip", "gz", "tgz", "tar", "7z", "rar", "bz2", "xz", "zst", "dmg", "iso"],
};

function makeRow(entry, index) {
  const link = make("a", { href: urlOf(pathOf(entry)), tabIndex: -1, textContent: entry.name, title: entry.name, draggable: false, dir: "auto" });
  const small = [entry.isFolder ? "" : size(entry.size), date(entry.time)].filter(Boolean).join(" · ");
  const check = make("input", { type: "checkbox", tabIndex: -1, "aria-label": t("select", { name: entry.name }) });
  const row = make("div", { className: entry.isFolder ? "row folder" : "row", role: "row", tabIndex: index === state.focus ? 0 : -1,
      "aria-rowindex": index + 2, "data-href": entry.href, draggable: mayWrite },
    make("span", { className: "pick", role: "gridcell" }, check),
    make("span", { className: "name", role: "gridcell" }, icon(kind(entry), "kind k-" + kind(entry)),
      make("span", { className: "text" }, link, make("span", { className: "small", textContent: small }))),
    make("span", { className: "size", role: "gridcell", textContent: entry.isFolder ? "" : size(entry.size), title: entry.isFolder ? "" : t("bytes", { n: entry.size }) }),
    make("span", { className: "date", role: "gridcell", textContent: date(entry.time) }),
    make("span", { className: "more", role: "gridcell" },
      make("button", { type: "button", className: "icon", tabIndex: -1, "aria-haspopup": "menu", "aria-expanded": "false",
        "aria-label": t("actionsFor", { name: entry.name }) }, icon("more"))));
  markRow(row, entry);
  return row;
}

function markRow(row, entry) {
  if (!entry) return;
  const isSelected = state.selected.has(entry.href);
  row.setAttribute("aria-selected", isSelected);
  row.querySelector("input[type=checkbox]").checked = isSelected;
}

function focusRow(index, isVisible = true) {
  if (!state.shown.length) return;
  const to = Math.max(0, Math.min(index, state.shown.length - 1));
  const before = rows.get(state.focus);
  if (before) before.tabIndex = -1;
  state.focus = to;
  if (!rows.has(to)) addRow(to);
  const row = rows.get(to);
  row.tabIndex = 0;
  row.focus({ preventScroll: true });
  if (isVisible) row.scrollIntoView({ block: "nearest" });
}

function select(index, event) {
  const entry = state.shown[index];
  if (!entry) return;
  if (event?.shiftKey && state.anchor >= 0) {
    const [from, to] = [Math.min(state.anchor, index), Math.max(state.anchor, index)];
    for (let i = from; i <= to; i++) state.selected.add(state.shown[i].href);
  } else {
    if (state.selected.has(entry.href)) state.selected.delete(entry.href);
    else state.selected.add(entry.href);
    state.anchor = index;
  }
  drawSelection();
}

function unselect() { state.selected.clear(); drawSelection(); }

const rowIndex = target => {
  const row = target.closest?.(".row");
  return row ? state.shown.findIndex(entry => entry.href === row.dataset.href) : -1;
};

const targets = () => state.selected.size
  ? state.shown.filter(entry => state.selected.has(entry.href))
  : state.shown[state.focus] ? [state.shown[state.focus]] : [];

function drawCrumbs() {
  const names = state.folder.split("/").filter(Boolean);
  const list = $("crumbs");
  list.replaceChildren();
  for (let depth = 0; depth <= names.length; depth++) {
    const path = "/" + names.slice(0, depth).map(name => name + "/").join("");
    const text = depth === 0 ? t("allFiles") : shownName(decode(names[depth - 1]));
    const link = make("a", { href: urlOf(path), textContent: text, dir: "auto", "data-path": path });
    if (depth === names.length) link.setAttribute("aria-current", "page");
    list.append(make("li", {}, link));
  }
  document.title = names.length ? shownName(decode(names[names.length - 1])) + " – " + settings.title : settings.title;
}

// Shows another folder without leaving the page, so that uploads go on.
function go(folder, isNew = true) {
  if (isNew) history.pushState(null, "", urlOf(folder) + location.search);
  state.folder = folder;
  state.selected.clear();
  state.query = $("search").value = "";
  state.anchor = -1;
  state.focus = 0;
  state.renaming = null;
  drawCrumbs();
  watch();
  scrollTo(0, 0);
  return load();
}

function open(entry) {
  if (entry.isFolder) go(pathOf(entry)).then(() => focusRow(0));
  else preview(entry);
}

// MARK: What is done with entries

function save(url, name) {
  const link = make("a", { href: url, download: name ?? "" });
  document.body.append(link);
  link.click();
  link.remove();
}

function download(entries) {
  if (entries.length === 1 && !entries[0].isFolder) return save(urlOf(pathOf(entries[0])), entries[0].name);
  const zip = service("zip");
  const fields = [["path", state.folder], ...entries.map(entry => ["name", entry.href.replace(/\/$/, "")])];
  if (entries.length === 1) fields.splice(0, 2, ["path", pathOf(entries[0])]);
  if (entries.length === state.entries.length && state.isComplete && entries.length > 1) fields.splice(1);
  zip.search = new URLSearchParams(fields);
  if (zip.href.length < 6000) return save(zip);
  // More names than a URL holds.
  // In a frame of its own, so that nobody is asked about leaving the page.
  const name = "wharf-zip";
  if (!document.querySelector(`iframe[name=${name}]`)) document.body.append(make("iframe", { name, hidden: true, title: name }));
  const form = make("form", { method: "post", action: service("zip"), target: name, hidden: true });
  for (const [name, value] of fields) form.append(make("input", { type: "hidden", name, value }));
  document.body.append(form);
  form.submit();
  form.remove();
}

async function createFolder(folder = state.folder, name = "") {
  let made = null;
  await dialog(t("newFolder"), (box, close) => {
    const input = make("input", { type: "text", value: name, required: true, autocomplete: "off", spellcheck: false, maxLength: 255 });
    const fault = make("p", { className: "fault", hidden: true, role: "alert" });
    const create = make("button", { type: "submit", className: "primary", textContent: t("create") });
    const form = make("form", { onsubmit: async event => {
      event.preventDefault();
      const text = input.value.trim();
      if (!text) return;
      create.disabled = true;
      try {
        const answer = await command("create", { path: folder + encode(text) });
        made = (await answer.json()).path + "/";
        close(true);
      } catch (error) {
        fault.textContent = reason(error, text);
        fault.hidden = false;
        create.disabled = false;
        input.focus();
        input.select();
      }
    } }, make("label", {}, make("span", { textContent: t("folderName") }), input), fault,
      dialogButtons(button(t("cancel"), () => close(null)), create));
    box.append(form);
    return input;
  });
  if (made && folder === state.folder) { await load(true); reveal(lastName(made)); }
  return made;
}

// Shows and focuses the entry of a name.
function reveal(name) {
  const index = state.shown.findIndex(entry => entry.name === name.normalize("NFC") || entry.name === name);
  if (index >= 0) focusRow(index);
}

function rename(index) {
  const entry = state.shown[index];
  if (!entry || !mayWrite) return;
  focusRow(index);
  const row = rows.get(index);
  const cell = row.querySelector(".text");
  const input = make("input", { type: "text", value: entry.name, autocomplete: "off", spellcheck: false, maxLength: 255,
    "aria-label": t("renameLabel", { name: entry.name }) });
  const old = [...cell.childNodes];
  row.draggable = false;
  state.renaming = entry.href;
  cell.replaceChildren(input);
  input.focus();
  const dot = entry.isFolder ? -1 : entry.name.lastIndexOf(".");
  input.setSelectionRange(0, dot > 0 ? dot : entry.name.length);
  let isOver = false;
  const end = async isWanted => {
    if (isOver) return;
    isOver = true;
    state.renaming = null;
    const text = input.value === entry.name ? entry.name : input.value.trim();
    const hadFocus = row.contains(document.activeElement);
    cell.replaceChildren(...old);
    row.draggable = true;
    if (hadFocus) row.focus();
    if (!isWanted || !text || text === entry.name) { if (pendingChange) load(true); return; }
    const done = await moveOne(entry, state.folder + encode(text));
    await load(true);
    if (done && hadFocus) reveal(text);
  };
  input.addEventListener("keydown", event => {
    event.stopPropagation();
    if (event.key === "Enter" && !event.isComposing) { event.preventDefault(); end(true); }
    if (event.key === "Escape") end(false);
  });
  input.addEventListener("blur", () => end(true));
}

// Moves one entry to a path; asks if the name is taken. Answers whether it is there now.
async function moveOne(entry, to, forAll = {}) {
  const from = pathOf(entry).replace(/\/$/, "");
  for (let attempt = 0, path = to, replace = false; ; ) {
    try {
      await command("move", { path: from, to: path, replace });
      return true;
    } catch (error) {
      if (error.status !== 412 || replace) {
        banner("move " + entry.href, t("moveFailed", { name: entry.name }) + " " + reason(error, lastName(path)));
        return false;
      }
    }
    const choice = forAll.choice ?? await askClash({ name: lastName(to), isMany: !!forAll.isMany }, forAll);
    if (choice === "replace") replace = true;
    else if (choice === "both") path = parentOf(to) + encode(numbered(decode(to.split("/").pop()), ++attempt));
    else return false;
  }
}

// `name (1).txt`, as the server has it.
function numbered(name, number) {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? `${name.slice(0, dot)} (${number})${name.slice(dot)}` : `${name} (${number})`;
}

// What is to become of a name that is taken: "both", "replace" or "skip".
async function askClash(clash, forAll) {
  const choice = await dialog(t("clashTitle"), (box, close) => {
    box.append(make("p", { textContent: t("clashText", { name: clash.name }) }));
    if (clash.sizes) {
      box.append(make("div", { className: "versus" }, ...clash.sizes.map(([title, bytes, time]) =>
        make("div", {}, make("b", { textContent: title }), make("span", { textContent: size(bytes) }), make("br"),
          make("span", { className: "dim", textContent: date(time) })))));
    }
    const all = make("input", { type: "checkbox" });
    if (clash.isMany) box.append(make("label", { className: "check" }, all, make("span", { textContent: t("forAll") })));
    const finish = value => { if (all.checked) forAll.choice = value; close(value); };
    const both = button(t("keepBoth"), () => finish("both"), "primary");
    box.append(dialogButtons(button(t("skipOne"), () => finish("skip")), button(t("replace"), () => finish("replace"), "danger"), both));
    return both;
  });
  return choice ?? "skip";
}

async function moveInto(entries, folder) {
  const forAll = { isMany: entries.length > 1 };
  let count = 0;
  for (const entry of entries) {
    if (folder === state.folder || folder.startsWith(pathOf(entry)) && entry.isFolder) continue;
    if (await moveOne(entry, folder + entry.href.replace(/\/$/, ""), forAll)) count++;
  }
  if (count) { unselect(); say(t("moved", { n: count, name: folder === "/" ? settings.title : lastName(folder) })); }
  await load(true);
}

// Asks for a folder, and moves there.
async function move(entries) {
  if (!entries.length) return;
  const folder = await dialog(entries.length === 1 ? t("moveOne", { name: entries[0].name }) : t("moveMany", { n: entries.length }),
    (box, close) => {
      let at = state.folder;
      const path = make("span", { className: "path", dir: "auto" });
      const list = make("div", { className: "places" });
      const here = make("button", { type: "button", className: "primary", textContent: t("moveHere"), onclick: () => close(at) });
      const show = async (folder, hasFocus) => {
        at = folder;
        path.textContent = [t("allFiles"), ...folder.split("/").filter(Boolean).map(name => shownName(decode(name)))].join(" / ");
        here.disabled = folder === state.folder || entries.some(entry => entry.isFolder && folder.startsWith(pathOf(entry)));
        list.replaceChildren();
        if (folder !== "/") list.append(make("button", { type: "button", onclick: () => show(parentOf(folder), true) },
          icon("back", "line"), t("goUp")));
        try {
          const answer = await ask(urlOf(folder), { headers: { Accept: "application/json" } });
          const found = take((await answer.json()).entries).filter(entry => entry.isFolder);
          if (at !== folder) return;
          for (const entry of found) {
            const isMoved = folder === state.folder && entries.some(other => other.href === entry.href);
            list.append(make("button", { type: "button", disabled: isMoved, onclick: () => show(folder + entry.href, true) },
              icon("folder"), make("span", { textContent: entry.name, dir: "auto" })));
          }
          if (!found.length) list.append(make("p", { className: "dim", textContent: t("noFolders") }));
        } catch (error) {
          list.append(make("p", { className: "dim", textContent: reason(error) }));
        }
        if (hasFocus) (list.querySelector("button:not(:disabled)") ?? here).focus();
      };
      box.append(path, list, dialogButtons(
        button(t("newFolder"), async () => { const made = await createFolder(at); if (made) show(made, true); }),
        button(t("cancel"), () => close(null)), here));
      show(at, true);
      return here;
    });
  if (folder !== null) await moveInto(entries, folder);
}

async function remove(entries) {
  if (!entries.length) return;
  const isSure = await dialog(entries.length === 1 ? t("deleteOne", { name: entries[0].name }) : t("deleteMany", { n: entries.length }),
    (box, close) => {
      const hasFolder = entries.some(entry => entry.isFolder);
      if (entries.length > 1) {
        const names = entries.slice(0, 5).map(entry => make("li", { textContent: entry.name, dir: "auto" }));
        if (entries.length > 5) names.push(make("li", { className: "dim", textContent: t("andMore", { n: entries.length - 5 }) }));
        box.append(make("ul", { className: "names" }, ...names));
      }
      box.append(make("p", { textContent: hasFolder ? t("deleteFolder") : t("deleteForEver") }));
      const cancel = button(t("cancel"), () => close(null));
      box.append(dialogButtons(cancel, button(t("delete"), () => close(true), "danger primary")));
      return cancel;
    });
  if (!isSure) return;
  const folder = state.folder;
  const failed = [];
  let last = null;
  await inParallel(entries, 3, async entry => {
    try { await command("delete", { path: folder + entry.href.replace(/\/$/, "") }); }
    catch (error) { if (error.status !== 404) { failed.push(entry); last = error; } }
  });
  clearBanner("delete");
  if (failed.length) {
    banner("delete", t("deleteFailed", { n: failed.length, name: failed[0].name }) + " " + reason(last, failed[0].name),
      [[t("retry"), () => remove(failed)]]);
  }
  say(t("deleted", { n: entries.length - failed.length }));
  unselect();
  await load(true);
  focusRow(state.focus, false);
}

async function inParallel(items, width, work) {
  const rest = items.slice();
  await Promise.all(Array.from({ length: width }, async () => { while (rest.length) await work(rest.shift()); }));
}

function entryMenu(index, anchor) {
  const entry = state.shown[index];
  const items = [[kind(entry), entry.isFolder ? t("open") : t("preview"), () => open(entry)],
    ["down", entry.isFolder ? t("downloadZip") : t("download"), () => download([entry])]];
  if (mayWrite) {
    items.push(["rename", t("rename"), () => rename(state.shown.findIndex(other => other.href === entry.href))],
      ["move", t("moveTo"), () => move([entry])], ["trash", t("delete"), () => remove([entry]), "danger"]);
  }
  menu(anchor, items);
}

// MARK: Uploads

// Uploads are tus 1.0: what has arrived stays on the server, which is asked for it before going on.
// Where a server has no tus, a file is one PUT. What an upload is called there is remembered by the
// file's name, size and time, so that the same file goes on after a reload.
const uploads = {
  items: [],             // in the order in which they were given
  running: 0, widthMax: 3,
  isPaused: false, isClosed: false,
  choice: {},            // of clashes, for all
  canResume: null,       // known after the first
  speed: 0, lastBytes: 0, lastTime: 0,
  quarter: 0, wakeLock: null,
};
const memoryKey = "wharf " + home.pathname;
const memory = {
  all() { try { return JSON.parse(localStorage.getItem(memoryKey)) ?? {}; } catch { return {}; } },
  change(work) {
    const all = this.all();
    work(all);
    try { localStorage.setItem(memoryKey, JSON.stringify(all)); } catch { /* A full store only costs the resuming. */ }
  },
};

const stallMillis = 30000;
const isOpen = item => !["done", "skipped", "cancelled"].includes(item.phase);
const isBusy = item => ["starting", "sending", "finishing"].includes(item.phase);

class Upload {
  constructor(file, folder, relative) {
    this.file = file;
    this.folder = folder;               // where it was dropped
    this.relative = relative;           // with the folders that it came in
    this.name = relative.split("/").pop();
    this.phase = "waiting";             // starting, sending, finishing, paused, failed, done, skipped, cancelled
    this.sent = 0;
    this.trouble = "";
    this.tries = 0;
    this.request = null;
    this.key = [folder, relative, file.size, file.lastModified].join("\n");
  }

  get target() { return this.folder + this.relative.split("/").map(encode).join("/"); }
}

// Takes files: [{file, relative}].
async function upload(found, folder = state.folder) {
  const refused = [];
  const items = [];
  const open = new Set(uploads.items.filter(isOpen).map(item => item.key));
  for (const { file, relative } of found) {
    const extension = relative.split(".").pop().toLowerCase();
    if (extensions && !extensions.includes(extension)) { refused.push([relative, t("refusedType", { name: extensions.join(", ") })]); continue; }
    if (file.size > uploadMax) { refused.push([relative, t("refusedSize", { name: size(uploadMax) })]); continue; }
    const item = new Upload(file, folder, relative);
    if (!open.has(item.key)) items.push(item);
  }
  if (refused.length) {
    banner("refused", t("refused", { n: refused.length, name: refused[0][0] }) + " " + refused[0][1]);
  }
  if (!items.length) return;
  if (!uploads.items.some(isOpen)) { uploads.items = []; uploads.choice = {}; uploads.quarter = 0; uploads.isPaused = false; uploads.isClosed = false; }
  items.forEach(item => { item.isMany = items.length > 1; });
  uploads.items.push(...items);
  drawUploads(true);
  say(t("uploadStarted", { n: items.length }));
  await settleClashes(items, folder);
  pump();
}

// Asks about names that are taken before anything is sent, one after the other.
let settling = Promise.resolve();
function settleClashes(items, folder) {
  for (const item of items) { item.before = item.phase; item.isHeld = true; }
  settling = settling.then(async () => {
    const lists = new Map();
    for (const item of items) {
      const parent = parentOf(item.target);
      if (!lists.has(parent)) {
        let names = new Map();
        try {
          const answer = await ask(urlOf(parent), { headers: { Accept: "application/json" } });
          names = new Map(take((await answer.json()).entries).map(entry => [entry.name.normalize("NFC"), entry]));
        } catch { /* A folder that isn't there yet has no names. */ }
        lists.set(parent, names);
      }
      const there = lists.get(parent).get(item.name.normalize("NFC"));
      const isResumed = memory.all()[item.key] !== undefined;
      if (there && !isResumed && item.phase === "waiting") await settleClash(item, there);
      item.isHeld = false;
      pump();
    }
  });
  return settling;
}

async function settleClash(item, there) {
  const sizes = there && !there.isFolder
    ? [[t("there"), there.size, there.time], [t("yours"), item.file.size, item.file.lastModified]] : null;
  const choice = uploads.choice.choice ?? await askClash({ name: item.name, isMany: item.isMany, sizes }, uploads.choice);
  if (choice === "skip") finish(item, "skipped");
  else item.conflict = choice === "replace" ? "replace" : "keep-both";
}

function pump() {
  if (!uploads.isPaused) {
    for (const item of uploads.items) {
      if (uploads.running >= uploads.widthMax) break;
      if (item.phase !== "waiting" || item.isHeld) continue;
      uploads.running++;
      run(item).finally(() => { uploads.running--; pump(); });
    }
  }
  keepAwake();
  drawUploads();
}

async function run(item) {
  const turn = item.turn = (item.turn ?? 0) + 1;
  setPhase(item, "starting");
  try {
    if (uploads.canResume === null) await findOutWhetherUploadsResume();
    if (uploads.canResume) await sendResumable(item);
    else await sendWhole(item);
    finish(item, "done");
  } catch (error) {
    // Paused or cancelled, it ended on purpose; and then it may have been begun anew.
    if (turn !== item.turn || !isBusy(item)) return;
    await trouble(item, error);
  }
}

async function findOutWhetherUploadsResume() {
  try {
    const answer = await fetch(service("uploads/"), { method: "OPTIONS" });
    uploads.canResume = answer.ok && (answer.headers.get("Tus-Version") ?? answer.headers.get("Tus-Resumable") ?? "").includes("1.0.0");
  } catch { throw new Refusal(0); }
}

// What can be tried again is, after a while that grows; the offset is the server's to say.
async function trouble(item, error) {
  const status = error.status ?? -1;
  const isStarted = item.location !== undefined;
  // The server has forgotten it: it begins anew.
  if (isStarted && (status === 404 || status === 410)) forget(item);
  const isPassing = [0, 408, 423, 429].includes(status) || status >= 500 && status !== 507
    || isStarted && [404, 409, 410, 412].includes(status);
  if (isPassing && item.tries < 8) {
    const wait = Math.min(30, 2 ** item.tries++);
    item.trouble = t(status === 0 ? "waitingForServer" : "tryingAgain");
    setPhase(item, "waiting");
    item.isHeld = true;
    item.timer = setTimeout(() => { item.isHeld = false; pump(); }, wait * 1000 * (0.75 + Math.random() / 2));
    return;
  }
  item.trouble = reason(error, item.name);
  setPhase(item, "failed");
  say(t("uploadFailed", { name: item.name }) + " " + item.trouble);
}

const base64 = text => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
const tus = { "Tus-Resumable": "1.0.0" };

async function sendResumable(item) {
  const known = item.location ?? memory.all()[item.key]?.id;
  let offset = null;
  if (known) {
    item.location = known;
    offset = await offsetOf(item);
  }
  if (offset === null) {
    const metadata = { filename: item.name, conflict: item.conflict ?? "keep-both" };
    if (item.relative.includes("/")) metadata.path = item.relative;
    if (item.file.type) metadata.filetype = item.file.type;
    const answer = await ask(urlOf(item.folder), { method: "POST", headers: { ...tus, "Upload-Length": item.file.size,
      "Upload-Metadata": Object.entries(metadata).map(([key, value]) => key + " " + base64(value)).join(",") } });
    // Only its name counts: what stands before it may be a proxy's.
    item.location = answer.headers.get("Location").replace(/[?#].*$/, "").split("/").pop();
    if (!isOpen(item)) return discard(item.location);
    memory.change(all => { all[item.key] = { id: item.location, name: item.relative, size: item.file.size, folder: item.folder, time: Date.now() }; });
    offset = 0;
    if (item.file.size === 0) return;
  }
  if (item.phase !== "starting") throw new Refusal(-1);
  item.sent = offset;
  if (offset < item.file.size) await send(item, "PATCH", service("uploads/" + item.location), offset, { ...tus,
    "Upload-Offset": offset, "Content-Type": "application/offset+octet-stream" });
}

// What the server has of an upload; `null`: it knows nothing of it any more.
async function offsetOf(item) {
  try {
    const answer = await ask(service("uploads/" + item.location), { method: "HEAD", headers: tus, cache: "no-store" });
    const offset = Number(answer.headers.get("Upload-Offset"));
    if (answer.headers.get("Upload-Length") === String(item.file.size)) return offset;
  } catch (error) {
    if (![403, 404, 410].includes(error.status)) throw error;
  }
  forget(item);
  return null;
}

function forget(item) {
  item.location = undefined;
  memory.change(all => { delete all[item.key]; });
}

async function sendWhole(item) {
  const folders = item.relative.split("/").slice(0, -1);
  let path = item.folder;
  for (const folder of folders) {
    path += encode(folder);
    try { await command("create", { path }); } catch (error) { if (error.status !== 405) throw error; }
    path += "/";
  }
  for (let number = 0; ; number++) {
    const name = number ? numbered(item.name, number) : item.name;
    try {
      return await send(item, "PUT", urlOf(path + encode(name)), 0, item.conflict === "replace" ? {} : { "If-None-Match": "*" });
    } catch (error) {
      if (error.status !== 412 || item.conflict === "replace" || number === 9999) throw error;
    }
  }
}

// Sends the file from an offset on. XMLHttpRequest alone tells how far it has got.
function send(item, method, url, offset, headers) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    item.request = request;
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    let stall;
    const alive = () => { clearTimeout(stall); stall = setTimeout(() => request.abort(), stallMillis); };
    request.upload.onprogress = event => {
      alive();
      // It never goes back while it goes on.
      item.sent = Math.max(item.sent, Math.min(item.file.size, offset + event.loaded));
      if (item.phase === "starting") setPhase(item, "sending");
      drawSoon();
    };
    request.upload.onload = () => {
      clearTimeout(stall);
      // The server still has to write it to its disk.
      if (item.phase === "sending" || item.phase === "starting") { item.sent = item.file.size; setPhase(item, "finishing"); }
    };
    request.onload = () => {
      clearTimeout(stall);
      if (request.status >= 200 && request.status < 300) resolve();
      else reject(new Refusal(request.status));
    };
    request.onerror = request.onabort = () => { clearTimeout(stall); reject(new Refusal(0)); };
    setPhase(item, "sending");
    alive();
    request.send(offset ? item.file.slice(offset) : item.file);
  });
}

function setPhase(item, phase) {
  item.phase = phase;
  if (phase === "sending" || phase === "finishing") item.trouble = "";
  drawSoon();
}

function finish(item, phase) {
  item.phase = phase;
  item.sent = phase === "done" ? item.file.size : item.sent;
  item.trouble = "";
  if (item.key) memory.change(all => { delete all[item.key]; });
  item.file = { size: item.file.size, lastModified: item.file.lastModified };
  if (phase === "done") loadSoon();
  drawSoon();
  if (!uploads.items.some(item => isOpen(item) && item.phase !== "failed")) summarize();
}

function pause(item) {
  if (!isOpen(item) || item.phase === "finishing") return;
  clearTimeout(item.timer);
  item.phase = "paused";
  item.request?.abort();
  drawSoon();
}

function resume(item) {
  if (item.phase !== "paused" && item.phase !== "failed") return;
  item.tries = 0;
  item.isHeld = false;
  item.trouble = "";
  item.phase = "waiting";
  pump();
}

function cancel(item) {
  if (!isOpen(item)) return;
  clearTimeout(item.timer);
  const location = item.location;
  finish(item, "cancelled");
  item.request?.abort();
  if (location) discard(location);
  pump();
}

// If this fails the server forgets it by itself, later.
const discard = location => void fetch(service("uploads/" + location), { method: "DELETE", headers: tus }).catch(() => {});

function summarize() {
  const done = uploads.items.filter(item => item.phase === "done").length;
  const failed = uploads.items.filter(item => item.phase === "failed").length;
  say(failed ? t("summaryFailed", { n: failed }) : done ? t("summary", { n: done }) : t("summaryNone"));
  keepAwake();
}

// The screen stays on, and leaving is asked about, while there is something to lose.
async function keepAwake() {
  const isNeeded = uploads.items.some(isBusy);
  if (isNeeded && !uploads.wakeLock && document.visibilityState === "visible") {
    uploads.wakeLock = "asked";
    try {
      uploads.wakeLock = await navigator.wakeLock.request("screen");
      uploads.wakeLock.addEventListener("release", () => { uploads.wakeLock = null; });
    } catch { uploads.wakeLock = null; }
  } else if (!isNeeded && uploads.wakeLock?.release) {
    uploads.wakeLock.release();
  }
}

addEventListener("beforeunload", event => {
  if (uploads.items.some(item => isBusy(item) || item.phase === "waiting")) event.preventDefault();
});
const goOn = () => {
  for (const item of uploads.items) {
    if (item.phase === "waiting" && item.timer) { clearTimeout(item.timer); item.isHeld = false; }
  }
  pump();
};
addEventListener("online", goOn);
document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") goOn(); });

// MARK: How uploads are shown

let drawTimer = 0;
function drawSoon() {
  if (drawTimer) return;
  drawTimer = setTimeout(() => { drawTimer = 0; drawUploads(); }, 150);
}

const uploadRows = new Map();
const rowsMax = 200;

function totals() {
  const counted = uploads.items.filter(item => item.phase !== "cancelled" && item.phase !== "skipped");
  const total = counted.reduce((sum, item) => sum + item.file.size, 0);
  const sent = counted.reduce((sum, item) => sum + item.sent, 0);
  return { counted, total, sent };
}

function measure(sent) {
  const now = performance.now();
  const passed = (now - uploads.lastTime) / 1000;
  if (passed < 0.5) return;
  if (passed < 5) {
    const speed = Math.max(0, sent - uploads.lastBytes) / passed;
    // Smoothed over some seconds, so that the time left does not jump.
    const weight = 1 - Math.exp(-passed / 4);
    uploads.speed = uploads.speed ? uploads.speed + (speed - uploads.speed) * weight : speed;
  }
  uploads.lastBytes = sent;
  uploads.lastTime = now;
}

function measureItem(item) {
  const now = performance.now();
  const passed = (now - (item.lastTime ?? 0)) / 1000;
  if (passed < 0.5) return;
  const speed = Math.max(0, item.sent - (item.lastBytes ?? item.sent)) / passed;
  item.speed = item.speed && passed < 5 ? item.speed + (speed - item.speed) * (1 - Math.exp(-passed / 4)) : passed < 5 ? speed : 0;
  item.lastBytes = item.sent;
  item.lastTime = now;
}

function drawUploads(isFresh = false) {
  const box = $("transfers");
  if (isFresh && !uploads.items.length) return;
  box.hidden = uploads.items.length === 0;
  if (box.hidden) { box.replaceChildren(); uploadRows.clear(); return; }
  if (!box.firstChild) buildUploads(box);
  box.classList.toggle("closed", uploads.isClosed);
  const { counted, total, sent } = totals();
  measure(sent);
  const done = counted.filter(item => item.phase === "done").length;
  const failed = counted.filter(item => item.phase === "failed").length;
  const open = counted.filter(item => isOpen(item) && item.phase !== "failed");
  const isAllPaused = open.length > 0 && open.every(item => item.phase === "paused");
  const parts = box.parts;
  parts.title.textContent = open.length ? t("uploading", { n: counted.length, done })
    : failed ? t("summaryFailed", { n: failed }) : done ? t("summary", { n: done }) : t("summaryNone");
  const remaining = uploads.speed > 0 ? (total - sent) / uploads.speed : Infinity;
  const isSending = open.some(item => item.phase === "sending");
  parts.line.textContent = !open.length ? size(sent)
    : [`${size(sent)} / ${size(total)}`, isSending && uploads.speed > 1 ? t("perSecond", { name: size(uploads.speed) }) : isAllPaused ? t("paused") : "",
      isSending && remaining < 360000 && remaining > 0 ? t("left", { name: duration(remaining) }) : ""].filter(Boolean).join(" · ");
  meter(parts.total, total ? sent / total : open.length ? 0 : 1, t("uploads"));
  parts.total.hidden = !open.length;
  const canPause = open.some(item => item.phase !== "paused" && item.phase !== "finishing");
  swap(parts.pause, canPause ? "pause" : "play", canPause ? t("pauseAll") : t("resumeAll"));
  parts.pause.hidden = !open.length;
  parts.retry.hidden = !failed;
  const closing = open.length ? t("cancelAll") : t("dismiss");
  if (parts.close.title !== closing) swap(parts.close, "close", closing);
  announceQuarter(total ? sent / total : 0, open.length);
  drawItems(parts.list);
}

function buildUploads(box) {
  const title = make("h2"), line = make("p", { className: "dim" });
  const pauseAll = iconButton("pause", t("pauseAll"), () => {
    const open = uploads.items.filter(item => isOpen(item) && item.phase !== "failed");
    const canPause = open.some(item => item.phase !== "paused" && item.phase !== "finishing");
    open.forEach(canPause ? pause : resume);
  });
  const retry = iconButton("retry", t("retryAll"), () => uploads.items.filter(item => item.phase === "failed").forEach(resume));
  const fold = iconButton("fold", t("fold"), () => { uploads.isClosed = !uploads.isClosed; drawUploads(); }, "icon fold");
  const close = iconButton("close", t("dismiss"), closeUploads);
  const total = make("div", { className: "meter total" }, make("i"));
  const list = make("ul");
  box.append(make("header", {}, make("div", {}, title, line), retry, pauseAll, fold, close), total, list);
  box.parts = { title, line, pause: pauseAll, retry, close, total, list };
}

async function closeUploads() {
  const open = uploads.items.filter(isOpen);
  if (open.some(item => item.phase !== "failed")) {
    const isSure = await dialog(t("cancelTitle"), (box, close) => {
      box.append(make("p", { textContent: t("cancelText", { n: open.length }) }));
      const keep = button(t("goOn"), () => close(null));
      box.append(dialogButtons(keep, button(t("cancelAll"), () => close(true), "danger primary")));
      return keep;
    });
    if (!isSure) return;
  }
  open.forEach(cancel);
  uploads.items = [];
  drawUploads();
}

function swap(button, name, label) {
  if (button.title === label && button.dataset.icon === name) return;
  button.dataset.icon = name;
  button.title = label;
  button.setAttribute("aria-label", label);
  button.replaceChildren(icon(name));
}

function meter(element, share, label) {
  const percent = Math.floor(Math.max(0, Math.min(1, share)) * 100);
  element.setAttribute("role", "progressbar");
  element.setAttribute("aria-label", label);
  element.setAttribute("aria-valuemin", 0);
  element.setAttribute("aria-valuemax", 100);
  element.setAttribute("aria-valuenow", percent);
  element.setAttribute("aria-valuetext", percent + " %");
  element.firstChild.style.transform = `scaleX(${Math.max(0, Math.min(1, share))})`;
}

function announceQuarter(share, openCount) {
  const quarter = Math.floor(share * 4);
  if (!openCount || quarter <= uploads.quarter || quarter >= 4) return;
  uploads.quarter = quarter;
  say(t("percent", { n: quarter * 25 }));
}

// Those that are under way, then those that failed, then the others; not more than can be read.
function drawItems(list) {
  const order = { sending: 0, finishing: 0, starting: 0, failed: 1, paused: 2, waiting: 3, done: 4, skipped: 5 };
  const items = uploads.items.filter(item => item.phase !== "cancelled");
  const shown = items.length <= 30 ? items : items.slice().sort((a, b) => order[a.phase] - order[b.phase]).slice(0, rowsMax);
  const wanted = new Set(shown);
  for (const [item, row] of uploadRows) if (!wanted.has(item)) { row.remove(); uploadRows.delete(item); }
  let previous = null;
  for (const item of shown) {
    let row = uploadRows.get(item);
    if (!row) { row = makeUploadRow(item); uploadRows.set(item, row); }
    const next = previous ? previous.nextSibling : list.firstChild;
    if (next !== row && !row.contains(document.activeElement)) list.insertBefore(row, next);
    else if (!row.isConnected) list.append(row);
    updateUploadRow(item, row);
    previous = row;
  }
}

function makeUploadRow(item) {
  const line = make("p"), bar = make("div", { className: "meter" }, make("i"));
  const toggle = iconButton("pause", t("pause"), () => (item.phase === "paused" || item.phase === "failed" ? resume : pause)(item));
  const stop = iconButton("close", t("cancel"), () => cancel(item));
  const tick = icon("check", "tick");
  const row = make("li", {}, make("div", {}, make("b", { textContent: shownName(item.name), title: shownName(item.relative), dir: "auto" }), line),
    make("div", { className: "buttons" }, tick, toggle, stop), bar);
  row.parts = { line, bar, toggle, stop, tick };
  return row;
}

function updateUploadRow(item, row) {
  measureItem(item);
  const { line, bar, toggle, stop, tick } = row.parts;
  row.className = item.phase;
  const name = shownName(item.name);
  const whole = size(item.file.size);
  const rest = item.speed > 1 ? (item.file.size - item.sent) / item.speed : Infinity;
  line.textContent = { waiting: item.trouble || t("waiting") + " · " + whole, starting: t("starting"), paused: t("paused") + ` · ${size(item.sent)} / ${whole}`,
    sending: [`${size(item.sent)} / ${whole}`, item.speed > 1 ? t("perSecond", { name: size(item.speed) }) : "", rest < 360000 ? t("left", { name: duration(rest) }) : ""].filter(Boolean).join(" · "),
    finishing: t("finishing"), failed: item.trouble, done: whole, skipped: t("skipped") }[item.phase];
  line.title = item.phase === "failed" ? item.trouble : "";
  meter(bar, item.file.size ? item.sent / item.file.size : 0, name);
  toggle.hidden = !["waiting", "starting", "sending", "paused", "failed"].includes(item.phase);
  if (item.phase === "failed") swap(toggle, "retry", t("retryOne", { name }));
  else if (item.phase === "paused") swap(toggle, "play", t("resumeOne", { name }));
  else swap(toggle, "pause", t("pauseOne", { name }));
  stop.hidden = !isOpen(item) || item.phase === "finishing";
  swap(stop, "close", t("cancelOne", { name }));
  tick.style.display = item.phase === "done" ? "" : "none";
}

// What a reload has left: the files have to be given again, their bytes don't.
function remindOfUploads() {
  const day = 24 * 3600 * 1000;
  memory.change(all => { for (const key of Object.keys(all)) if (Date.now() - all[key].time > day) delete all[key]; });
  const left = Object.values(memory.all());
  if (!left.length || !mayWrite) return;
  banner("resume", t("unfinished", { n: left.length, name: left[0].name }), [
    [t("chooseAgain"), () => $("pick-files").click()],
    [t("forget"), () => {
      left.forEach(({ id }) => discard(id));
      memory.change(all => { for (const key of Object.keys(all)) delete all[key]; });
    }],
  ], false);
}

// MARK: Files that are picked or dropped

function pickFiles(input) {
  const found = [...input.files].map(file => ({ file, relative: file.webkitRelativePath || file.name }));
  input.value = "";
  if (found.length) { clearBanner("resume"); giveBack(found); }
}

// A file that was being uploaded elsewhere goes on there.
function giveBack(found) {
  const left = Object.values(memory.all());
  const groups = new Map();
  for (const one of found) {
    const known = left.find(other => other.name === one.relative && other.size === one.file.size
      && memory.all()[[other.folder, other.name, one.file.size, one.file.lastModified].join("\n")]);
    const folder = known ? known.folder : state.folder;
    if (!groups.has(folder)) groups.set(folder, []);
    groups.get(folder).push(one);
  }
  for (const [folder, files] of groups) upload(files, folder);
}

// All files below what was dropped, with their paths. Entries are asked for at once: they are gone
// after the event.
async function droppedFiles(transfer) {
  const entries = [...transfer.items].filter(item => item.kind === "file").map(item => {
    const entry = item.webkitGetAsEntry?.();
    return entry?.isDirectory ? entry : item.getAsFile();
  });
  const found = [], failed = [], folders = [];
  const walk = async (entry, path) => {
    if (entry instanceof File) return found.push({ file: entry, relative: path + entry.name });
    try {
      if (entry.isFile) {
        found.push({ file: await new Promise((yes, no) => entry.file(yes, no)), relative: path + entry.name });
      } else {
        const reader = entry.createReader();
        let count = 0;
        // Browsers hand out a hundred at a time.
        for (;;) {
          const some = await new Promise((yes, no) => reader.readEntries(yes, no));
          if (!some.length) break;
          count += some.length;
          for (const one of some) await walk(one, path + entry.name + "/");
        }
        if (!count) folders.push(path + entry.name);
      }
    } catch { failed.push(path + entry.name); }
  };
  for (const entry of entries) if (entry) await walk(entry, "");
  if (failed.length) banner("unreadable", t("unreadable", { n: failed.length, name: failed[0] }));
  return { found, folders };
}

const dragKind = event => event.dataTransfer?.types.includes("Files") ? "files"
  : event.dataTransfer?.types.includes("application/x-wharf") ? "entries" : "";

// The folder that something would be dropped into.
function dropPlace(target) {
  const crumb = target.closest?.("[data-path]");
  if (crumb) return [crumb, crumb.dataset.path];
  const index = rowIndex(target);
  const entry = state.shown[index];
  return entry?.isFolder ? [rows.get(index), pathOf(entry)] : [null, state.folder];
}

let dropMark = null, dropTimer = 0;
function markDrop(element) {
  if (dropMark === element) return;
  dropMark?.classList.remove("over");
  dropMark = element;
  dropMark?.classList.add("over");
}

function endDrag() { markDrop(null); $("drop").hidden = true; }

function listenToDrags() {
  addEventListener("dragover", event => {
    const what = dragKind(event);
    if (what === "files") event.preventDefault();
    if (!what || !mayWrite) { if (what && event.dataTransfer) event.dataTransfer.dropEffect = "none"; return; }
    const [element, folder] = dropPlace(event.target);
    if (what === "entries") {
      const isUseless = !element || folder === state.folder || state.dragged?.some(entry => pathOf(entry) === folder);
      markDrop(isUseless ? null : element);
      if (!isUseless) { event.preventDefault(); event.dataTransfer.dropEffect = "move"; }
      return;
    }
    event.dataTransfer.dropEffect = "copy";
    markDrop(element);
    $("drop").hidden = !!element;
    $("drop-text").textContent = t("dropHere", { name: folder === "/" ? settings.title : lastName(folder) });
    // Leaving is told unreliably: when nothing is heard any more, it is over.
    clearTimeout(dropTimer);
    dropTimer = setTimeout(endDrag, 400);
  });
  addEventListener("drop", async event => {
    const what = dragKind(event);
    if (!what) return;
    event.preventDefault();
    clearTimeout(dropTimer);
    const [, folder] = dropPlace(event.target);
    endDrag();
    if (!mayWrite) return what === "files" && banner("readonly", t("readOnly"));
    if (what === "entries") return moveInto(state.dragged ?? [], folder);
    const { found, folders } = await droppedFiles(event.dataTransfer);
    for (const path of folders) {
      let at = folder;
      for (const name of path.split("/")) {
        at += encode(name);
        try { await command("create", { path: at }); }
        catch (error) { if (error.status !== 405) { banner("create", reason(error, name)); break; } }
        at += "/";
      }
    }
    if (folders.length) load(true);
    if (found.length) upload(found, folder);
  });
  addEventListener("dragstart", event => {
    const index = rowIndex(event.target);
    if (index < 0) return;
    const entry = state.shown[index];
    state.dragged = state.selected.has(entry.href) ? targets() : [entry];
    event.dataTransfer.setData("application/x-wharf", "");
    event.dataTransfer.setData("text/uri-list", urlOf(pathOf(entry)).href);
    event.dataTransfer.effectAllowed = "all";
  });
  addEventListener("dragend", () => { state.dragged = null; endDrag(); });
}

addEventListener("paste", event => {
  const files = [...event.clipboardData?.files ?? []];
  if (files.length && mayWrite && !document.querySelector("dialog")) upload(files.map(file => ({ file, relative: file.name })));
});

// MARK: Previews

const textMax = 256 * 1024;
const VIEWS = {
  image: ["jpg", "jpeg", "png", "gif", "webp", "avif", "svg", "bmp", "ico"],
  film: ["mp4", "m4v", "mov", "webm", "ogv"],
  sound: ["mp3", "m4a", "aac", "ogg", "oga", "opus", "wav", "flac"],
  document: ["pdf"],
};

function preview(entry) {
  let at = entry;
  dialog(shownName(entry.name), (box, close) => {
    const heading = box.querySelector("h2");
    heading.dir = "auto";
    const view = make("div", { className: "view", tabIndex: -1 });
    const step = by => {
      const files = state.shown.filter(other => !other.isFolder);
      const index = files.findIndex(other => other.href === at.href);
      const next = files[(index + by + files.length) % files.length];
      if (next) { at = next; heading.textContent = next.name; fillView(view, next); }
    };
    const closing = iconButton("close", t("close"), () => close(null));
    box.append(make("header", {}, heading, iconButton("down", t("download"), () => download([at])), closing), view);
    box.addEventListener("keydown", event => {
      if (event.target.matches("video, audio, iframe")) return;
      if (event.key === "ArrowRight" || event.key === "ArrowLeft") step(event.key === "ArrowRight" === (document.dir !== "rtl") ? 1 : -1);
    });
    fillView(view, entry);
    return closing;
  }, "preview");
}

async function fillView(view, entry) {
  const url = urlOf(pathOf(entry));
  const extension = entry.name.split(".").pop().toLowerCase();
  const kind = Object.keys(VIEWS).find(name => VIEWS[name].includes(extension));
  const failed = () => view.replaceChildren(lost(entry));
  if (kind === "image") return view.replaceChildren(make("img", { src: url, alt: entry.name, onerror: failed }));
  if (kind === "film") return view.replaceChildren(make("video", { src: url, controls: true, onerror: failed, "aria-label": entry.name }));
  if (kind === "sound") return view.replaceChildren(make("audio", { src: url, controls: true, onerror: failed, "aria-label": entry.name }));
  if (kind === "document" && navigator.pdfViewerEnabled) return view.replaceChildren(make("iframe", { src: url, title: entry.name }));
  if (kind) return failed();
  view.replaceChildren();
  try {
    const headers = entry.size > textMax ? { Range: `bytes=0-${textMax - 1}` } : {};
    const answer = entry.size ? await ask(url, { headers }) : null;
    const bytes = answer ? new Uint8Array(await answer.arrayBuffer()).subarray(0, textMax) : new Uint8Array();
    // What holds a NUL is no text, whatever it is called.
    if (bytes.includes(0)) return failed();
    let text = new TextDecoder().decode(bytes);
    if (entry.size > textMax) text = text.replace(/\ufffd$/, "") + "\n\n" + t("textCut", { name: size(textMax) });
    view.replaceChildren(make("pre", { textContent: text, tabIndex: 0, "aria-label": entry.name, dir: "auto" }));
  } catch (error) {
    view.replaceChildren(make("p", { className: "lost", textContent: reason(error, entry.name) }));
  }
}

const lost = entry => make("div", { className: "lost" }, make("p", { textContent: t("noPreview") }),
  button(t("download"), () => download([entry]), "primary"));

// The folder's address, for whoever has it on another screen.
function share() {
  const address = urlOf(state.folder).href;
  const picture = service("qr");
  picture.searchParams.set("text", address);
  dialog(t("shareTitle"), (box, close) => {
    const image = make("img", { className: "qr", src: picture, alt: address, onerror: () => image.remove() });
    const done = button(t("close"), () => close(null));
    box.append(make("p", { className: "dim", textContent: t("shareText") }), image, make("p", { textContent: address, dir: "ltr" }), dialogButtons(done));
    return done;
  });
}

// MARK: Live changes

let source = null, loadTimer = 0, pendingChange = false;

function watch() {
  source?.close();
  if (document.visibilityState === "hidden") { source = null; return; }
  const url = service("events");
  url.searchParams.set("path", state.folder);
  source = new EventSource(url);
  source.addEventListener("change", loadSoon);
  source.addEventListener("gone", () => load(true));
}

// What changes often is asked for once a second at most, and not while a name is being edited.
function loadSoon() {
  if (loadTimer) return;
  loadTimer = setTimeout(() => {
    loadTimer = 0;
    if (state.renaming) { pendingChange = true; return; }
    pendingChange = false;
    load(true);
  }, 700);
}

document.addEventListener("visibilitychange", () => {
  watch();
  if (document.visibilityState === "visible") load(true);
});

// MARK: Keys and clicks

function onKey(event) {
  if (document.querySelector("dialog[open], .menu")) return;
  const isTyping = event.target.matches("input:not([type=checkbox]), textarea, select");
  const isCommand = event.ctrlKey || event.metaKey;
  if (!isTyping && (event.key === "/" || isCommand && event.key === "f" && document.activeElement.closest(".grid"))) {
    event.preventDefault();
    $("search").focus();
    return;
  }
  if (event.target === $("search")) {
    if (event.key === "ArrowDown") { event.preventDefault(); focusRow(0); }
    if (event.key === "Escape" && state.query) { $("search").value = ""; state.query = ""; arrange(); }
    return;
  }
  const isInRow = event.target.classList?.contains("row");
  if (event.key === "Escape" && state.selected.size) return unselect();
  if (event.key === "Backspace" && isInRow && state.folder !== "/") { event.preventDefault(); return void go(parentOf(state.folder)); }
  if (!isInRow) return;
  const page = Math.max(1, Math.floor(innerHeight / rowHeight) - 3);
  const to = { ArrowDown: state.focus + 1, ArrowUp: state.focus - 1, PageDown: state.focus + page, PageUp: state.focus - page,
    Home: 0, End: state.shown.length - 1 }[event.key];
  if (to !== undefined) {
    event.preventDefault();
    if (event.shiftKey && state.anchor < 0) select(state.focus);
    focusRow(to);
    if (event.shiftKey) select(state.focus, event);
    return;
  }
  const keys = {
    Enter: () => open(state.shown[state.focus]),
    " ": () => select(state.focus, event),
    F2: () => rename(state.focus),
    Delete: () => mayWrite && remove(targets()),
    ContextMenu: () => entryMenu(state.focus, rows.get(state.focus).querySelector(".more button")),
  };
  if (isCommand && event.key === "a") keys.a = () => { state.shown.forEach(entry => state.selected.add(entry.href)); drawSelection(); };
  if (event.shiftKey && event.key === "F10") keys.F10 = keys.ContextMenu;
  if (keys[event.key]) { event.preventDefault(); keys[event.key](); return; }
  // Letters go to the next name that begins with what was typed.
  if (event.key.length === 1 && !isCommand && !event.altKey) typeAhead(event.key);
}

let typed = "", typedAt = 0;
function typeAhead(key) {
  const now = performance.now();
  typed = now - typedAt < 800 ? typed + key : key;
  typedAt = now;
  const start = state.focus + (typed.length === 1 ? 1 : 0);
  for (let i = 0; i < state.shown.length; i++) {
    const index = (start + i) % state.shown.length;
    if (collator.compare(state.shown[index].name.slice(0, typed.length), typed) === 0) return focusRow(index);
  }
}

function onRowClick(event) {
  const index = rowIndex(event.target);
  if (index < 0 || event.target.matches("input[type=text]")) return;
  const entry = state.shown[index];
  if (event.target.closest(".pick")) {
    event.preventDefault();
    focusRow(index, false);
    // After the browser has put the mark back.
    setTimeout(() => select(index, event));
  } else if (event.target.closest(".more button")) {
    focusRow(index, false);
    entryMenu(index, event.target.closest("button"));
  } else if (event.target.closest("a")) {
    // With a key held the browser opens it elsewhere, as it does with any link.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    focusRow(index, false);
    open(entry);
  } else if (event.shiftKey || event.ctrlKey || event.metaKey || state.selected.size) {
    focusRow(index, false);
    select(index, event);
  } else {
    focusRow(index, false);
  }
}

function listen() {
  $("rows").addEventListener("click", onRowClick);
  // However the focus got there, keys are for the row that has it.
  $("rows").addEventListener("focusin", event => {
    const index = rowIndex(event.target);
    if (index < 0 || index === state.focus) return;
    const before = rows.get(state.focus);
    if (before) before.tabIndex = -1;
    state.focus = index;
    rows.get(index).tabIndex = 0;
  });
  $("rows").addEventListener("dblclick", event => {
    const index = rowIndex(event.target);
    if (index >= 0 && !event.target.closest("a, button, input, .pick")) open(state.shown[index]);
  });
  $("rows").addEventListener("contextmenu", event => {
    const index = rowIndex(event.target);
    if (index < 0 || event.target.closest("a, input")) return;
    event.preventDefault();
    focusRow(index, false);
    entryMenu(index, rows.get(index).querySelector(".more button"));
  });
  document.addEventListener("keydown", onKey);
  addEventListener("scroll", () => requestAnimationFrame(() => drawRows()), { passive: true });
  addEventListener("resize", () => drawRows(true));
  $("crumbs").addEventListener("click", event => {
    const path = event.target.dataset.path;
    if (!path || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    if (path === state.folder) load(true); else go(path);
  });
  addEventListener("popstate", () => { if (folderOfLocation() !== state.folder) go(folderOfLocation(), false); });
  for (const head of document.querySelectorAll("[data-sort]")) {
    head.addEventListener("click", () => {
      state.isDescending = state.sort === head.dataset.sort ? !state.isDescending : head.dataset.sort !== "name";
      state.sort = head.dataset.sort;
      arrange();
      scrollTo(0, 0);
    });
  }
  $("all").addEventListener("change", () => {
    if ($("all").checked) state.shown.forEach(entry => state.selected.add(entry.href)); else state.selected.clear();
    drawSelection();
  });
  $("search").addEventListener("input", () => { state.query = $("search").value.trim(); state.focus = 0; arrange(); });
  $("unselect").addEventListener("click", () => { unselect(); focusRow(state.focus, false); });
  $("get").addEventListener("click", () => download(targets()));
  $("move").addEventListener("click", () => move(targets()));
  $("delete").addEventListener("click", () => remove(targets()));
  $("qr-open").addEventListener("click", share);
  $("new-folder").addEventListener("click", () => createFolder());
  $("upload").addEventListener("click", () => $("pick-files").click());
  $("upload-menu").addEventListener("click", event => menu(event.currentTarget, [
    ["file", t("uploadFiles"), () => $("pick-files").click()],
    ["folder", t("uploadFolder"), () => $("pick-folder").click()],
  ]));
  for (const id of ["pick-files", "pick-folder"]) $(id).addEventListener("change", event => pickFiles(event.target));
  $("acts").hidden = !mayWrite;
  listenToDrags();
}

function translate() {
  texts = TEXTS[language] ?? TEXTS.en;
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = t(element.dataset.text);
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", t(element.dataset.label));
    if (element.tagName === "BUTTON") element.title = t(element.dataset.label);
  }
  for (const element of document.querySelectorAll("[data-placeholder]")) element.placeholder = t(element.dataset.placeholder);
  if (extensions) $("pick-files").accept = extensions.map(extension => "." + extension).join(",");
}

// MARK: Texts

const TEXTS = {
en: {
  skip: "To the list", allFiles: "All files", search: "Search this folder", share: "Show as QR code", crumbs: "Folders", newFolder: "New folder",
  upload: "Upload", uploadMore: "More ways to upload", uploadFiles: "Upload files…", uploadFolder: "Upload a folder…",
  messages: "Messages", unselect: "Clear selection", download: "Download", downloadZip: "Download as zip", move: "Move", delete: "Delete",
  list: "Files", selectAll: "Select all", name: "Name", size: "Size", modified: "Modified", actions: "Actions", uploads: "Uploads",
  pickFiles: "Files to upload", pickFolder: "Folder to upload", dismiss: "Dismiss", cancel: "Cancel", close: "Close", create: "Create",
  select: "Select {name}", actionsFor: "Actions for {name}", bytes: { one: "{n} byte", other: "{n} bytes" },
  folders: { one: "{n} folder", other: "{n} folders" }, files: { one: "{n} file", other: "{n} files" },
  cut: "Only the first {n} entries are shown. Search looks at these alone.", selected: { one: "{n} selected", other: "{n} selected" },
  empty: "This folder is empty", emptyHint: "Drop files or folders here, or use the Upload button.", noMatch: "Nothing is called {name}",
  folderGone: "This folder is not there any more.", goUp: "Parent folder", retry: "Try again", folderName: "Name of the folder",
  open: "Open", preview: "Preview", rename: "Rename", renameLabel: "New name for {name}", moveTo: "Move to…",
  moveOne: "Move {name}", moveMany: { one: "Move {n} item", other: "Move {n} items" }, moveHere: "Move here", noFolders: "No folders in here",
  moved: { one: "{n} item moved to {name}", other: "{n} items moved to {name}" }, moveFailed: "{name} could not be moved.",
  deleteOne: "Delete {name}?", deleteMany: { one: "Delete {n} item?", other: "Delete {n} items?" },
  deleteForEver: "It can’t be brought back.", deleteFolder: "Folders are deleted with all that is in them. It can’t be brought back.",
  andMore: { one: "and {n} more", other: "and {n} more" }, deleted: { one: "{n} item deleted", other: "{n} items deleted" },
  deleteFailed: { one: "{name} could not be deleted.", other: "{n} items could not be deleted, {name} for one." },
  clashTitle: "This name is taken", clashText: "There is already something called {name} here. What should happen?",
  there: "On the server", yours: "Yours", forAll: "Do this for all that follow", keepBoth: "Keep both", replace: "Replace", skipOne: "Skip",
  errorNetwork: "The server can’t be reached. Check your connection, then try again.",
  errorName: "The server does not take this name. Try another one without special characters.",
  errorLogin: "You have to log in again. Reload the page, then try again.", errorForbidden: "You may not do this here.",
  errorGone: "It is not there any more. The list shows what is.", errorTaken: "The name {name} is taken already. Choose another one.",
  errorConflict: "It could not be done completely: something is in use, or its folder is gone. Look at the list and try again.",
  errorLarge: "It is larger than this server takes.", errorLocked: "Somebody is working on it right now. Try again later.",
  errorBusy: "The server is busy. Try again in a moment.", errorFull: "The server’s disk is full. Delete something, then try again.",
  errorOther: "The server answered with error {n}. Try again, or ask whoever runs it.",
  uploading: { one: "Uploading {n} file", other: "Uploading {n} files · {done} done" }, uploadStarted: { one: "Uploading {n} file", other: "Uploading {n} files" },
  summary: { one: "{n} file uploaded", other: "{n} files uploaded" }, summaryFailed: { one: "{n} upload failed", other: "{n} uploads failed" }, summaryNone: "Nothing was uploaded",
  perSecond: "{name}/s", left: "{name} left", percent: "{n} percent uploaded", waiting: "Waiting", starting: "Starting…", paused: "Paused", finishing: "Finishing…", skipped: "Skipped",
  pause: "Pause", pauseAll: "Pause all", resumeAll: "Resume all", retryAll: "Try failed ones again", cancelAll: "Cancel all", fold: "Show or hide the list",
  pauseOne: "Pause {name}", resumeOne: "Resume {name}", retryOne: "Try {name} again", cancelOne: "Cancel {name}",
  cancelTitle: "Cancel uploads?", cancelText: { one: "{n} file has not arrived yet.", other: "{n} files have not arrived yet." }, goOn: "Go on",
  uploadFailed: "{name} was not uploaded.", waitingForServer: "Waiting for the server…", tryingAgain: "Trying again soon…",
  refused: { one: "{name} was not uploaded.", other: "{n} files were not uploaded, {name} for one." }, refusedType: "Only these are taken here: {name}.", refusedSize: "Files may have at most {name}.",
  unfinished: { one: "The upload of {name} is not complete. Choose the file again and it goes on where it stopped.", other: "{n} uploads are not complete. Choose the files again and they go on where they stopped." },
  chooseAgain: "Choose files", forget: "Discard", unreadable: { one: "{name} can’t be read by the browser.", other: "{n} entries can’t be read by the browser, {name} for one." },
  dropHere: "Drop to upload to {name}", readOnly: "This folder can only be read.", noPreview: "There is no preview of this file.", textCut: "[The first {name}. Download the file for all of it.]",
  shareTitle: "Open on another device", shareText: "Scan this code with a phone’s camera.",
},
de: {
  skip: "Zur Liste", allFiles: "Alle Dateien", search: "Diesen Ordner durchsuchen", share: "Als QR-Code zeigen", crumbs: "Ordner", newFolder: "Neuer Ordner",
  upload: "Hochladen", uploadMore: "Weitere Arten hochzuladen", uploadFiles: "Dateien hochladen…", uploadFolder: "Ordner hochladen…",
  messages: "Meldungen", unselect: "Auswahl aufheben", download: "Herunterladen", downloadZip: "Als ZIP herunterladen", move: "Verschieben", delete: "Löschen",
  list: "Dateien", selectAll: "Alle auswählen", name: "Name", size: "Größe", modified: "Geändert", actions: "Aktionen", uploads: "Uploads",
  pickFiles: "Dateien zum Hochladen", pickFolder: "Ordner zum Hochladen", dismiss: "Schließen", cancel: "Abbrechen", close: "Schließen", create: "Anlegen",
  select: "{name} auswählen", actionsFor: "Aktionen für {name}", bytes: { one: "{n} Byte", other: "{n} Bytes" },
  folders: { one: "{n} Ordner", other: "{n} Ordner" }, files: { one: "{n} Datei", other: "{n} Dateien" },
  cut: "Nur die ersten {n} Einträge werden gezeigt und durchsucht.", selected: { other: "{n} ausgewählt" },
  empty: "Dieser Ordner ist leer", emptyHint: "Legen Sie Dateien oder Ordner hier ab, oder nehmen Sie „Hochladen“.", noMatch: "Nichts heißt {name}",
  folderGone: "Diesen Ordner gibt es nicht mehr.", goUp: "Übergeordneter Ordner", retry: "Noch einmal versuchen", folderName: "Name des Ordners",
  open: "Öffnen", preview: "Vorschau", rename: "Umbenennen", renameLabel: "Neuer Name für {name}", moveTo: "Verschieben nach…",
  moveOne: "{name} verschieben", moveMany: { one: "{n} Eintrag verschieben", other: "{n} Einträge verschieben" }, moveHere: "Hierher verschieben", noFolders: "Hier sind keine Ordner",
  moved: { one: "{n} Eintrag nach {name} verschoben", other: "{n} Einträge nach {name} verschoben" }, moveFailed: "{name} konnte nicht verschoben werden.",
  deleteOne: "{name} löschen?", deleteMany: { one: "{n} Eintrag löschen?", other: "{n} Einträge löschen?" },
  deleteForEver: "Das lässt sich nicht rückgängig machen.", deleteFolder: "Ordner werden mit ihrem ganzen Inhalt gelöscht. Das lässt sich nicht rückgängig machen.",
  andMore: { other: "und {n} weitere" }, deleted: { one: "{n} Eintrag gelöscht", other: "{n} Einträge gelöscht" },
  deleteFailed: { one: "{name} konnte nicht gelöscht werden.", other: "{n} Einträge konnten nicht gelöscht werden, etwa {name}." },
  clashTitle: "Der Name ist vergeben", clashText: "Hier gibt es schon etwas namens {name}. Was soll geschehen?",
  there: "Auf dem Server", yours: "Ihre Datei", forAll: "Bei allen folgenden ebenso", keepBoth: "Beide behalten", replace: "Ersetzen", skipOne: "Auslassen",
  errorNetwork: "Der Server ist nicht zu erreichen. Prüfen Sie die Verbindung, und versuchen Sie es noch einmal.",
  errorName: "Der Server nimmt diesen Namen nicht an. Versuchen Sie einen ohne Sonderzeichen.",
  errorLogin: "Sie müssen sich wieder anmelden. Laden Sie die Seite neu, und versuchen Sie es dann noch einmal.", errorForbidden: "Das dürfen Sie hier nicht.",
  errorGone: "Es ist nicht mehr da. Die Liste zeigt, was da ist.", errorTaken: "Der Name {name} ist schon vergeben. Wählen Sie einen anderen.",
  errorConflict: "Es ging nicht vollständig: Etwas ist in Benutzung, oder der Ordner ist weg. Sehen Sie in die Liste, und versuchen Sie es noch einmal.",
  errorLarge: "Das ist größer, als dieser Server annimmt.", errorLocked: "Gerade arbeitet jemand daran. Versuchen Sie es später noch einmal.",
  errorBusy: "Der Server ist beschäftigt. Versuchen Sie es gleich noch einmal.", errorFull: "Die Platte des Servers ist voll. Löschen Sie etwas, und versuchen Sie es noch einmal.",
  errorOther: "Der Server antwortet mit Fehler {n}. Versuchen Sie es noch einmal, oder fragen Sie den Betreiber.",
  uploading: { one: "{n} Datei wird hochgeladen", other: "{n} Dateien werden hochgeladen · {done} fertig" }, uploadStarted: { one: "{n} Datei wird hochgeladen", other: "{n} Dateien werden hochgeladen" },
  summary: { one: "{n} Datei hochgeladen", other: "{n} Dateien hochgeladen" }, summaryFailed: { one: "{n} Upload ist gescheitert", other: "{n} Uploads sind gescheitert" }, summaryNone: "Nichts wurde hochgeladen",
  perSecond: "{name}/s", left: "noch {name}", percent: "{n} Prozent hochgeladen", waiting: "Wartet", starting: "Beginnt…", paused: "Angehalten", finishing: "Wird abgeschlossen…", skipped: "Ausgelassen",
  pause: "Anhalten", pauseAll: "Alle anhalten", resumeAll: "Alle fortsetzen", retryAll: "Gescheiterte noch einmal versuchen", cancelAll: "Alle abbrechen", fold: "Liste zeigen oder verbergen",
  pauseOne: "{name} anhalten", resumeOne: "{name} fortsetzen", retryOne: "{name} noch einmal versuchen", cancelOne: "{name} abbrechen",
  cancelTitle: "Uploads abbrechen?", cancelText: { one: "{n} Datei ist noch nicht angekommen.", other: "{n} Dateien sind noch nicht angekommen." }, goOn: "Weitermachen",
  uploadFailed: "{name} wurde nicht hochgeladen.", waitingForServer: "Wartet auf den Server…", tryingAgain: "Gleich ein neuer Versuch…",
  refused: { one: "{name} wurde nicht hochgeladen.", other: "{n} Dateien wurden nicht hochgeladen, etwa {name}." }, refusedType: "Hier werden nur diese angenommen: {name}.", refusedSize: "Dateien dürfen höchstens {name} haben.",
  unfinished: { one: "{name} ist nicht ganz hochgeladen. Wählen Sie die Datei noch einmal, dann geht es weiter, wo es aufgehört hat.", other: "{n} Uploads sind nicht vollständig. Wählen Sie die Dateien noch einmal, dann geht es weiter, wo es aufgehört hat." },
  chooseAgain: "Dateien wählen", forget: "Verwerfen", unreadable: { one: "Der Browser kann {name} nicht lesen.", other: "Der Browser kann {n} Einträge nicht lesen, etwa {name}." },
  dropHere: "Ablegen, um nach {name} hochzuladen", readOnly: "Dieser Ordner kann nur gelesen werden.", noPreview: "Von dieser Datei gibt es keine Vorschau.", textCut: "[Die ersten {name}. Laden Sie die Datei herunter, um alles zu sehen.]",
  shareTitle: "Auf einem anderen Gerät öffnen", shareText: "Scannen Sie diesen Code mit der Kamera eines Telefons.",
},
fr: {
  skip: "Aller à la liste", allFiles: "Tous les fichiers", search: "Rechercher dans ce dossier", share: "Afficher le code QR", crumbs: "Dossiers", newFolder: "Nouveau dossier",
  upload: "Envoyer", uploadMore: "Autres façons d’envoyer", uploadFiles: "Envoyer des fichiers…", uploadFolder: "Envoyer un dossier…",
  messages: "Messages", unselect: "Annuler la sélection", download: "Télécharger", downloadZip: "Télécharger en zip", move: "Déplacer", delete: "Supprimer",
  list: "Fichiers", selectAll: "Tout sélectionner", name: "Nom", size: "Taille", modified: "Modifié", actions: "Actions", uploads: "Envois",
  pickFiles: "Fichiers à envoyer", pickFolder: "Dossier à envoyer", dismiss: "Fermer", cancel: "Annuler", close: "Fermer", create: "Créer",
  select: "Sélectionner {name}", actionsFor: "Actions pour {name}", bytes: { one: "{n} octet", other: "{n} octets" },
  folders: { one: "{n} dossier", other: "{n} dossiers" }, files: { one: "{n} fichier", other: "{n} fichiers" },
  cut: "Seuls les {n} premiers éléments sont affichés et recherchés.", selected: { one: "{n} sélectionné", other: "{n} sélectionnés" },
  empty: "Ce dossier est vide", emptyHint: "Déposez ici des fichiers ou des dossiers, ou utilisez « Envoyer ».", noMatch: "Rien ne s’appelle {name}",
  folderGone: "Ce dossier n’existe plus.", goUp: "Dossier parent", retry: "Réessayer", folderName: "Nom du dossier",
  open: "Ouvrir", preview: "Aperçu", rename: "Renommer", renameLabel: "Nouveau nom pour {name}", moveTo: "Déplacer vers…",
  moveOne: "Déplacer {name}", moveMany: { one: "Déplacer {n} élément", other: "Déplacer {n} éléments" }, moveHere: "Déplacer ici", noFolders: "Aucun dossier ici",
  moved: { one: "{n} élément déplacé vers {name}", other: "{n} éléments déplacés vers {name}" }, moveFailed: "{name} n’a pas pu être déplacé.",
  deleteOne: "Supprimer {name} ?", deleteMany: { one: "Supprimer {n} élément ?", other: "Supprimer {n} éléments ?" },
  deleteForEver: "Cette action est définitive.", deleteFolder: "Les dossiers sont supprimés avec tout leur contenu. Cette action est définitive.",
  andMore: { one: "et {n} autre", other: "et {n} autres" }, deleted: { one: "{n} élément supprimé", other: "{n} éléments supprimés" },
  deleteFailed: { one: "{name} n’a pas pu être supprimé.", other: "{n} éléments n’ont pas pu être supprimés, dont {name}." },
  clashTitle: "Ce nom est déjà pris", clashText: "Il y a déjà un élément nommé {name} ici. Que faire ?",
  there: "Sur le serveur", yours: "Le vôtre", forAll: "Faire de même pour tous les suivants", keepBoth: "Garder les deux", replace: "Remplacer", skipOne: "Ignorer",
  errorNetwork: "Le serveur est injoignable. Vérifiez la connexion, puis réessayez.",
  errorName: "Le serveur refuse ce nom. Essayez-en un autre, sans caractères spéciaux.",
  errorLogin: "Il faut vous reconnecter. Rechargez la page, puis réessayez.", errorForbidden: "Vous n’avez pas le droit de faire cela ici.",
  errorGone: "Cela n’existe plus. La liste montre ce qu’il y a.", errorTaken: "Le nom {name} est déjà pris. Choisissez-en un autre.",
  errorConflict: "Tout n’a pas pu être fait : un élément est utilisé, ou son dossier a disparu. Regardez la liste et réessayez.",
  errorLarge: "C’est plus gros que ce que ce serveur accepte.", errorLocked: "Quelqu’un y travaille en ce moment. Réessayez plus tard.",
  errorBusy: "Le serveur est occupé. Réessayez dans un instant.", errorFull: "Le disque du serveur est plein. Supprimez quelque chose, puis réessayez.",
  errorOther: "Le serveur a répondu par l’erreur {n}. Réessayez, ou demandez à son responsable.",
  uploading: { one: "Envoi de {n} fichier", other: "Envoi de {n} fichiers · {done} terminés" }, uploadStarted: { one: "Envoi de {n} fichier", other: "Envoi de {n} fichiers" },
  summary: { one: "{n} fichier envoyé", other: "{n} fichiers envoyés" }, summaryFailed: { one: "{n} envoi a échoué", other: "{n} envois ont échoué" }, summaryNone: "Rien n’a été envoyé",
  perSecond: "{name}/s", left: "encore {name}", percent: "{n} pour cent envoyés", waiting: "En attente", starting: "Démarrage…", paused: "En pause", finishing: "Finalisation…", skipped: "Ignoré",
  pause: "Pause", pauseAll: "Tout mettre en pause", resumeAll: "Tout reprendre", retryAll: "Réessayer les échecs", cancelAll: "Tout annuler", fold: "Afficher ou masquer la liste",
  pauseOne: "Mettre {name} en pause", resumeOne: "Reprendre {name}", retryOne: "Réessayer {name}", cancelOne: "Annuler {name}",
  cancelTitle: "Annuler les envois ?", cancelText: { one: "{n} fichier n’est pas encore arrivé.", other: "{n} fichiers ne sont pas encore arrivés." }, goOn: "Continuer",
  uploadFailed: "{name} n’a pas été envoyé.", waitingForServer: "En attente du serveur…", tryingAgain: "Nouvel essai bientôt…",
  refused: { one: "{name} n’a pas été envoyé.", other: "{n} fichiers n’ont pas été envoyés, dont {name}." }, refusedType: "Seuls ceux-ci sont acceptés ici : {name}.", refusedSize: "Les fichiers peuvent faire au plus {name}.",
  unfinished: { one: "L’envoi de {name} n’est pas terminé. Choisissez le fichier de nouveau : il reprend où il s’est arrêté.", other: "{n} envois ne sont pas terminés. Choisissez les fichiers de nouveau : ils reprennent où ils se sont arrêtés." },
  chooseAgain: "Choisir les fichiers", forget: "Abandonner", unreadable: { one: "Le navigateur ne peut pas lire {name}.", other: "Le navigateur ne peut pas lire {n} éléments, dont {name}." },
  dropHere: "Déposer pour envoyer dans {name}", readOnly: "Ce dossier est en lecture seule.", noPreview: "Il n’y a pas d’aperçu de ce fichier.", textCut: "[Les premiers {name}. Téléchargez le fichier pour tout voir.]",
  shareTitle: "Ouvrir sur un autre appareil", shareText: "Scannez ce code avec l’appareil photo d’un téléphone.",
},
es: {
  skip: "Ir a la lista", allFiles: "Todos los archivos", search: "Buscar en esta carpeta", share: "Mostrar código QR", crumbs: "Carpetas", newFolder: "Nueva carpeta",
  upload: "Subir", uploadMore: "Más formas de subir", uploadFiles: "Subir archivos…", uploadFolder: "Subir una carpeta…",
  messages: "Mensajes", unselect: "Anular la selección", download: "Descargar", downloadZip: "Descargar como zip", move: "Mover", delete: "Eliminar",
  list: "Archivos", selectAll: "Seleccionar todo", name: "Nombre", size: "Tamaño", modified: "Modificado", actions: "Acciones", uploads: "Subidas",
  pickFiles: "Archivos para subir", pickFolder: "Carpeta para subir", dismiss: "Cerrar", cancel: "Cancelar", close: "Cerrar", create: "Crear",
  select: "Seleccionar {name}", actionsFor: "Acciones para {name}", bytes: { one: "{n} byte", other: "{n} bytes" },
  folders: { one: "{n} carpeta", other: "{n} carpetas" }, files: { one: "{n} archivo", other: "{n} archivos" },
  cut: "Solo se muestran y se buscan los primeros {n} elementos.", selected: { one: "{n} seleccionado", other: "{n} seleccionados" },
  empty: "Esta carpeta está vacía", emptyHint: "Suelte aquí archivos o carpetas, o use «Subir».", noMatch: "Nada se llama {name}",
  folderGone: "Esta carpeta ya no existe.", goUp: "Carpeta superior", retry: "Reintentar", folderName: "Nombre de la carpeta",
  open: "Abrir", preview: "Vista previa", rename: "Cambiar nombre", renameLabel: "Nuevo nombre para {name}", moveTo: "Mover a…",
  moveOne: "Mover {name}", moveMany: { one: "Mover {n} elemento", other: "Mover {n} elementos" }, moveHere: "Mover aquí", noFolders: "No hay carpetas aquí",
  moved: { one: "{n} elemento movido a {name}", other: "{n} elementos movidos a {name}" }, moveFailed: "No se pudo mover {name}.",
  deleteOne: "¿Eliminar {name}?", deleteMany: { one: "¿Eliminar {n} elemento?", other: "¿Eliminar {n} elementos?" },
  deleteForEver: "No se puede deshacer.", deleteFolder: "Las carpetas se eliminan con todo su contenido. No se puede deshacer.",
  andMore: { one: "y {n} más", other: "y {n} más" }, deleted: { one: "{n} elemento eliminado", other: "{n} elementos eliminados" },
  deleteFailed: { one: "No se pudo eliminar {name}.", other: "No se pudieron eliminar {n} elementos, entre ellos {name}." },
  clashTitle: "El nombre ya existe", clashText: "Ya hay algo llamado {name} aquí. ¿Qué desea hacer?",
  there: "En el servidor", yours: "El suyo", forAll: "Hacer lo mismo con todos los siguientes", keepBoth: "Conservar ambos", replace: "Reemplazar", skipOne: "Omitir",
  errorNetwork: "No se puede acceder al servidor. Compruebe la conexión y vuelva a intentarlo.",
  errorName: "El servidor no acepta este nombre. Pruebe otro sin caracteres especiales.",
  errorLogin: "Debe volver a identificarse. Recargue la página e inténtelo de nuevo.", errorForbidden: "No tiene permiso para hacer esto aquí.",
  errorGone: "Ya no existe. La lista muestra lo que hay.", errorTaken: "El nombre {name} ya está en uso. Elija otro.",
  errorConflict: "No se pudo completar: algo está en uso o su carpeta ya no existe. Mire la lista y vuelva a intentarlo.",
  errorLarge: "Es más grande de lo que acepta este servidor.", errorLocked: "Alguien está trabajando en ello. Inténtelo más tarde.",
  errorBusy: "El servidor está ocupado. Inténtelo de nuevo en un momento.", errorFull: "El disco del servidor está lleno. Elimine algo y vuelva a intentarlo.",
  errorOther: "El servidor respondió con el error {n}. Inténtelo de nuevo o pregunte a su responsable.",
  uploading: { one: "Subiendo {n} archivo", other: "Subiendo {n} archivos · {done} listos" }, uploadStarted: { one: "Subiendo {n} archivo", other: "Subiendo {n} archivos" },
  summary: { one: "{n} archivo subido", other: "{n} archivos subidos" }, summaryFailed: { one: "{n} subida falló", other: "{n} subidas fallaron" }, summaryNone: "No se subió nada",
  perSecond: "{name}/s", left: "quedan {name}", percent: "{n} por ciento subido", waiting: "En espera", starting: "Empezando…", paused: "En pausa", finishing: "Terminando…", skipped: "Omitido",
  pause: "Pausar", pauseAll: "Pausar todo", resumeAll: "Reanudar todo", retryAll: "Reintentar los fallidos", cancelAll: "Cancelar todo", fold: "Mostrar u ocultar la lista",
  pauseOne: "Pausar {name}", resumeOne: "Reanudar {name}", retryOne: "Reintentar {name}", cancelOne: "Cancelar {name}",
  cancelTitle: "¿Cancelar las subidas?", cancelText: { one: "{n} archivo aún no ha llegado.", other: "{n} archivos aún no han llegado." }, goOn: "Continuar",
  uploadFailed: "{name} no se subió.", waitingForServer: "Esperando al servidor…", tryingAgain: "Pronto se reintenta…",
  refused: { one: "{name} no se subió.", other: "{n} archivos no se subieron, entre ellos {name}." }, refusedType: "Aquí solo se aceptan estos: {name}.", refusedSize: "Los archivos pueden tener como máximo {name}.",
  unfinished: { one: "La subida de {name} no está completa. Elija de nuevo el archivo y seguirá donde se detuvo.", other: "{n} subidas no están completas. Elija de nuevo los archivos y seguirán donde se detuvieron." },
  chooseAgain: "Elegir archivos", forget: "Descartar", unreadable: { one: "El navegador no puede leer {name}.", other: "El navegador no puede leer {n} elementos, entre ellos {name}." },
  dropHere: "Suelte para subir a {name}", readOnly: "Esta carpeta es de solo lectura.", noPreview: "No hay vista previa de este archivo.", textCut: "[Los primeros {name}. Descargue el archivo para verlo todo.]",
  shareTitle: "Abrir en otro dispositivo", shareText: "Escanee este código con la cámara de un teléfono.",
},
ja: {
  skip: "一覧へ移動", allFiles: "すべてのファイル", search: "このフォルダを検索", share: "QRコードを表示", crumbs: "フォルダ", newFolder: "新規フォルダ",
  upload: "アップロード", uploadMore: "その他のアップロード方法", uploadFiles: "ファイルをアップロード…", uploadFolder: "フォルダをアップロード…",
  messages: "メッセージ", unselect: "選択を解除", download: "ダウンロード", downloadZip: "zipでダウンロード", move: "移動", delete: "削除",
  list: "ファイル", selectAll: "すべて選択", name: "名前", size: "サイズ", modified: "更新日時", actions: "操作", uploads: "アップロード",
  pickFiles: "アップロードするファイル", pickFolder: "アップロードするフォルダ", dismiss: "閉じる", cancel: "キャンセル", close: "閉じる", create: "作成",
  select: "{name}を選択", actionsFor: "{name}の操作", bytes: { other: "{n}バイト" }, folders: { other: "フォルダ{n}個" }, files: { other: "ファイル{n}個" },
  cut: "最初の{n}項目だけが表示され、検索されます。", selected: { other: "{n}項目を選択中" },
  empty: "このフォルダは空です", emptyHint: "ファイルやフォルダをここにドロップするか、「アップロード」を押してください。", noMatch: "{name}に一致するものはありません",
  folderGone: "このフォルダはもうありません。", goUp: "上のフォルダ", retry: "再試行", folderName: "フォルダの名前",
  open: "開く", preview: "プレビュー", rename: "名前を変更", renameLabel: "{name}の新しい名前", moveTo: "移動先…",
  moveOne: "{name}を移動", moveMany: { other: "{n}項目を移動" }, moveHere: "ここに移動", noFolders: "ここにフォルダはありません",
  moved: { other: "{n}項目を{name}に移動しました" }, moveFailed: "{name}を移動できませんでした。",
  deleteOne: "{name}を削除しますか?", deleteMany: { other: "{n}項目を削除しますか?" },
  deleteForEver: "元に戻すことはできません。", deleteFolder: "フォルダは中身ごと削除されます。元に戻すことはできません。",
  andMore: { other: "ほか{n}項目" }, deleted: { other: "{n}項目を削除しました" }, deleteFailed: { one: "{name}を削除できませんでした。", other: "{name}など{n}項目を削除できませんでした。" },
  clashTitle: "同じ名前があります", clashText: "{name}はすでにあります。どうしますか?",
  there: "サーバ上", yours: "お手元", forAll: "以降すべてに適用", keepBoth: "両方残す", replace: "置き換える", skipOne: "スキップ",
  errorNetwork: "サーバに接続できません。接続を確認して、もう一度お試しください。", errorName: "この名前は使えません。特殊文字を含まない名前をお試しください。",
  errorLogin: "もう一度ログインが必要です。ページを再読み込みしてください。", errorForbidden: "ここではこの操作は許可されていません。",
  errorGone: "もう存在しません。一覧をご確認ください。", errorTaken: "{name}という名前はすでに使われています。別の名前にしてください。",
  errorConflict: "完了できませんでした。使用中か、フォルダがなくなっています。一覧を確認して、もう一度お試しください。",
  errorLarge: "このサーバで受け取れる大きさを超えています。", errorLocked: "現在ほかの人が作業中です。あとでもう一度お試しください。",
  errorBusy: "サーバが混み合っています。少し待ってからお試しください。", errorFull: "サーバのディスクがいっぱいです。何かを削除してからお試しください。",
  errorOther: "サーバがエラー{n}を返しました。もう一度試すか、管理者にお尋ねください。",
  uploading: { other: "{n}ファイルをアップロード中 · {done}完了" }, uploadStarted: { other: "{n}ファイルをアップロード中" },
  summary: { other: "{n}ファイルをアップロードしました" }, summaryFailed: { other: "{n}件のアップロードに失敗しました" }, summaryNone: "アップロードしたものはありません",
  perSecond: "{name}/秒", left: "残り{name}", percent: "{n}パーセント完了", waiting: "待機中", starting: "開始中…", paused: "一時停止中", finishing: "仕上げ中…", skipped: "スキップ",
  pause: "一時停止", pauseAll: "すべて一時停止", resumeAll: "すべて再開", retryAll: "失敗したものを再試行", cancelAll: "すべて中止", fold: "一覧の表示を切り替え",
  pauseOne: "{name}を一時停止", resumeOne: "{name}を再開", retryOne: "{name}を再試行", cancelOne: "{name}を中止",
  cancelTitle: "アップロードを中止しますか?", cancelText: { other: "{n}ファイルがまだ届いていません。" }, goOn: "続ける",
  uploadFailed: "{name}はアップロードされませんでした。", waitingForServer: "サーバを待っています…", tryingAgain: "まもなく再試行します…",
  refused: { one: "{name}はアップロードされませんでした。", other: "{name}など{n}ファイルはアップロードされませんでした。" }, refusedType: "受け取れるのは次の種類だけです: {name}。", refusedSize: "ファイルは{name}までです。",
  unfinished: { one: "{name}のアップロードが途中です。", other: "{name}など{n}件のアップロードが途中です。ファイルを選び直すと、続きから再開します。" },
  chooseAgain: "ファイルを選ぶ", forget: "破棄", unreadable: { one: "{name}を読み取れません。", other: "{name}など{n}項目を読み取れません。" },
  dropHere: "ドロップして{name}にアップロード", readOnly: "このフォルダは読み取り専用です。", noPreview: "このファイルはプレビューできません。", textCut: "[最初の{name}です。全体はダウンロードしてご覧ください。]",
  shareTitle: "別の端末で開く", shareText: "スマートフォンのカメラで読み取ってください。",
},
zh: {
  skip: "转到列表", allFiles: "全部文件", search: "搜索此文件夹", share: "显示二维码", crumbs: "文件夹", newFolder: "新建文件夹",
  upload: "上传", uploadMore: "更多上传方式", uploadFiles: "上传文件…", uploadFolder: "上传文件夹…",
  messages: "消息", unselect: "取消选择", download: "下载", downloadZip: "下载为 zip", move: "移动", delete: "删除",
  list: "文件", selectAll: "全选", name: "名称", size: "大小", modified: "修改时间", actions: "操作", uploads: "上传",
  pickFiles: "要上传的文件", pickFolder: "要上传的文件夹", dismiss: "关闭", cancel: "取消", close: "关闭", create: "创建",
  select: "选择 {name}", actionsFor: "{name} 的操作", bytes: { other: "{n} 字节" }, folders: { other: "{n} 个文件夹" }, files: { other: "{n} 个文件" },
  cut: "仅显示并搜索前 {n} 项。", selected: { other: "已选择 {n} 项" },
  empty: "此文件夹为空", emptyHint: "将文件或文件夹拖放到此处,或点击“上传”。", noMatch: "没有名为 {name} 的内容",
  folderGone: "此文件夹已不存在。", goUp: "上级文件夹", retry: "重试", folderName: "文件夹名称",
  open: "打开", preview: "预览", rename: "重命名", renameLabel: "{name} 的新名称", moveTo: "移动到…",
  moveOne: "移动 {name}", moveMany: { other: "移动 {n} 项" }, moveHere: "移动到此处", noFolders: "此处没有文件夹",
  moved: { other: "已将 {n} 项移动到 {name}" }, moveFailed: "无法移动 {name}。",
  deleteOne: "删除 {name}?", deleteMany: { other: "删除 {n} 项?" }, deleteForEver: "此操作无法撤销。", deleteFolder: "文件夹将连同其全部内容一起删除。此操作无法撤销。",
  andMore: { other: "以及另外 {n} 项" }, deleted: { other: "已删除 {n} 项" }, deleteFailed: { other: "无法删除 {n} 项,例如 {name}。" },
  clashTitle: "名称已被占用", clashText: "此处已有名为 {name} 的内容。要如何处理?",
  there: "服务器上的", yours: "您的", forAll: "对后续所有冲突执行相同操作", keepBoth: "两者都保留", replace: "替换", skipOne: "跳过",
  errorNetwork: "无法连接服务器。请检查网络后重试。", errorName: "服务器不接受此名称。请换一个不含特殊字符的名称。",
  errorLogin: "您需要重新登录。请刷新页面后重试。", errorForbidden: "您无权在此执行此操作。", errorGone: "它已不存在。列表显示的是现有内容。",
  errorTaken: "名称 {name} 已被占用。请换一个。", errorConflict: "未能全部完成:有内容正在使用,或其文件夹已不存在。请查看列表后重试。",
  errorLarge: "超出此服务器允许的大小。", errorLocked: "有人正在使用它。请稍后重试。", errorBusy: "服务器繁忙。请稍候重试。",
  errorFull: "服务器磁盘已满。请删除一些内容后重试。", errorOther: "服务器返回错误 {n}。请重试,或联系管理员。",
  uploading: { other: "正在上传 {n} 个文件 · 已完成 {done} 个" }, uploadStarted: { other: "正在上传 {n} 个文件" },
  summary: { other: "已上传 {n} 个文件" }, summaryFailed: { other: "{n} 个上传失败" }, summaryNone: "没有上传任何内容",
  perSecond: "{name}/秒", left: "剩余 {name}", percent: "已上传百分之 {n}", waiting: "等待中", starting: "正在开始…", paused: "已暂停", finishing: "正在完成…", skipped: "已跳过",
  pause: "暂停", pauseAll: "全部暂停", resumeAll: "全部继续", retryAll: "重试失败项", cancelAll: "全部取消", fold: "显示或隐藏列表",
  pauseOne: "暂停 {name}", resumeOne: "继续 {name}", retryOne: "重试 {name}", cancelOne: "取消 {name}",
  cancelTitle: "取消上传?", cancelText: { other: "还有 {n} 个文件未送达。" }, goOn: "继续",
  uploadFailed: "{name} 未上传。", waitingForServer: "正在等待服务器…", tryingAgain: "即将重试…",
  refused: { other: "{n} 个文件未上传,例如 {name}。" }, refusedType: "此处仅接受:{name}。", refusedSize: "文件最大为 {name}。",
  unfinished: { other: "{n} 个上传未完成。重新选择文件即可从中断处继续。" },
  chooseAgain: "选择文件", forget: "放弃", unreadable: { other: "浏览器无法读取 {n} 项,例如 {name}。" },
  dropHere: "松开以上传到 {name}", readOnly: "此文件夹为只读。", noPreview: "此文件没有预览。", textCut: "[前 {name}。下载文件以查看全部。]",
  shareTitle: "在其他设备上打开", shareText: "用手机相机扫描此二维码。",
},
};

translate();
listen();
state.folder = folderOfLocation();
drawCrumbs();
load().then(() => { remindOfUploads(); });
watch();
})();
