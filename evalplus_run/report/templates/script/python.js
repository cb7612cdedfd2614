// Python source as highlighted text: strings, comments, keywords, numbers and the names that are defined.

const KEYWORDS = new Set(
  "False None True and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield".split(" "),
);
const TOKEN = /(#[^\n]*)|([rbfuRBFU]{0,2}(?:"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:\\[^]|[^"\\\n])*"?|'(?:\\[^]|[^'\\\n])*'?))|(0[xXoObB][\da-fA-F_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?[jJ]?)|([^\W\d]\w*)|(\s+|[^])/gu;
const KINDS = ["comment", "string", "number", "name"];

function* pieces(source) {
  let before = "";
  for (const found of source.matchAll(TOKEN)) {
    const kind = KINDS.find((_, place) => found[place + 1] !== undefined);
    if (kind !== "name") yield [kind, found[0]];
    else if (KEYWORDS.has(found[0])) yield ["keyword", found[0]];
    else yield [before === "def" || before === "class" ? "defined" : undefined, found[0]];
    if (found[0].trim()) before = found[0];
  }
}

function highlighted(source) {
  const whole = document.createDocumentFragment();
  let plain = "";
  for (const [kind, text] of pieces(source)) {
    if (!kind) {
      plain += text;
      continue;
    }
    whole.append(plain, element("span", { class: kind }, text));
    plain = "";
  }
  whole.append(plain);
  return whole;
}

// A program with numbered lines, and a mark where it raised.
function listing(source, raised = []) {
  const code = element("code", {}, highlighted(source));
  const numbers = source.replace(/\n$/, "").split("\n").map((_, at) => `${raised.includes(at + 1) ? "▶" : ""}${at + 1}`);
  return element("div", { class: "listing" },
    element("pre", { class: "numbers", "aria-hidden": "true" }, numbers.join("\n")),
    element("pre", { class: "python", tabindex: "0" }, code));
}
