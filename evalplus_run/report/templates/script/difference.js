// Two programs line by line: what both have, what only the first has (-), what only the second has (+).

const MOST_CELLS = 4_000_000;

function difference(first, second) {
  const [a, b] = [first, second].map((text) => text.replace(/\n$/, "").split("\n"));
  let head = 0;
  while (head < Math.min(a.length, b.length) && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(a.length, b.length) - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  const middle = between(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  return [...a.slice(0, head).map(same), ...middle, ...a.slice(a.length - tail).map(same)];
}

function same(line) {
  return [" ", line];
}

// The longest common subsequence; without one where the table would be too large.
function between(a, b) {
  const width = b.length + 1;
  if ((a.length + 1) * width > MOST_CELLS) return [...a.map((line) => ["-", line]), ...b.map((line) => ["+", line])];
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = a[i] === b[j]
        ? lengths[(i + 1) * width + j + 1] + 1
        : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  return walked(a, b, lengths, width);
}

function walked(a, b, lengths, width) {
  const lines = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) lines.push(same(a[i++])) && (j += 1);
    else if (j >= b.length || (i < a.length && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1])) lines.push(["-", a[i++]]);
    else lines.push(["+", b[j++]]);
  }
  return lines;
}

function differenceView(first, second) {
  const kinds = { " ": "same", "-": "only-first", "+": "only-second" };
  return element("pre", { class: "difference", tabindex: "0" },
    ...difference(first, second).map(([sign, line]) => element("span", { class: kinds[sign] }, `${sign} ${line}\n`)));
}
