// Keys: j and k go through the list, / searches, t is the theme, ? tells.

const KEYS = {
  j: () => step(1), k: () => step(-1),
  ArrowDown: () => step(1), ArrowUp: () => step(-1),
  "/": () => { byId("query").focus(); byId("query").select(); },
  t: changeTheme,
  "?": () => byId("help").showModal(),
  Escape: () => viewed().sample && go({ sample: "", other: "" }),
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  if (event.target.matches("input, select, textarea")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  // Arrows scroll, as everywhere, unless samples are being read.
  if (event.key.startsWith("Arrow") && !viewed().sample && !byId("rows").contains(event.target)) return;
  const act = Object.hasOwn(KEYS, event.key) ? KEYS[event.key] : null;
  if (!act) return;
  event.preventDefault();
  act();
}

function changeTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  try { localStorage.setItem("evalplus-run-theme", root.dataset.theme); } catch { /* a browser that keeps nothing */ }
}

function restoreTheme() {
  try {
    const kept = localStorage.getItem("evalplus-run-theme");
    if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
  } catch { /* as above */ }
}
