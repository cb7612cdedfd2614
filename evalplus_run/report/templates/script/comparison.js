// Runs in pairs: the choice of k, of the run that all others are compared with, and the tasks on which they differ.

function buildComparison(section) {
  const ks = [...new Set(partsOf(section).map((part) => part.dataset.k))];
  const place = section.querySelector("p.control");
  if (!ks.length) return;
  const k = element("select", { "data-name": "k", "data-none": ks[0] }, ...ks.map((one) => element("option", { value: one }, `pass@${one}`)));
  const against = element("select", { class: "against", "data-name": "against" });
  place.append(element("label", { hidden: ks.length < 2 }, "By ", k, " "), element("label", {}, "Each run against ", against));
  fillReferences(section);
  place.hidden = ks.length < 2 && against.options.length < 2;
  k.addEventListener("change", () => { fillReferences(section); showComparison(section); remember(section); });
  against.addEventListener("change", () => { showComparison(section); remember(section); });
  showComparison(section);
}

function partsOf(section, k) {
  return [...section.querySelectorAll("[data-against]")].filter((part) => k === undefined || part.dataset.k === k);
}

function choiceOf(section, name) {
  return section.querySelector(`select[data-name=${name}]`);
}

// The runs that have samples enough for k, the best first; the one that was chosen stays so where it is one of them.
function fillReferences(section) {
  const against = choiceOf(section, "against");
  const chosen = against.value;
  const numbers = partsOf(section, choiceOf(section, "k").value).map((part) => part.dataset.against);
  against.replaceChildren(...numbers.map((number, at) => element("option", { value: number }, `${runs.get(Number(number)).label}${at ? "" : " (the best)"}`)));
  against.dataset.none = numbers[0];
  against.value = numbers.includes(chosen) ? chosen : numbers[0];
}

function showComparison(section) {
  const [k, against] = ["k", "against"].map((name) => choiceOf(section, name).value);
  for (const part of partsOf(section)) part.hidden = part.dataset.k !== k || part.dataset.against !== against;
  const compared = partsOf(section).find((part) => !part.hidden)?.dataset.runs.split(" ").map(Number) ?? [];
  showFlips(section.querySelector(".flips"), compared, Number(against), Number(k));
}

// The tasks on which another run is ahead of this one, or behind it, each a link to the two programs.
function showFlips(place, others, number, k) {
  const group = groups.get(Number(place.dataset.group));
  place.replaceChildren(...others.map((other) => {
    const details = element("details", {}, element("summary", {}, `Where ${runs.get(other).label} differs`));
    details.addEventListener("toggle", () => details.append(...flips(group, other, number, k)), { once: true });
    return details;
  }));
}

function flips(group, other, number, k) {
  const [rates, own] = [ratesOf(other, group), ratesOf(number, group)];
  const lead = (task) => passAtK(rates[task], k) - passAtK(own[task], k);
  const both = group.tasks.map((_, task) => task).filter((task) => own[task].all >= k && rates[task].all >= k);
  const link = (task) => element("a", { href: fragment({ sample: rates[task].first.name, other: own[task].first.name }) }, group.tasks[task]);
  return [["Ahead", (task) => lead(task) > 0], ["Behind", (task) => lead(task) < 0]].map(([title, isSo]) => {
    const tasks = both.filter(isSo);
    return element("p", { class: "flip" }, element("strong", {}, `${title} on ${tasks.length}`), tasks.length ? ": " : "", ...tasks.flatMap((task) => [link(task), " "]));
  });
}

// The unbiased estimate, as a product that neither overflows nor cancels.
function passAtK({ all, whole }, k) {
  let fail = 1;
  for (let drawn = 0; drawn < k; drawn += 1) fail *= Math.max(all - whole - drawn, 0) / Math.max(all - drawn, 1);
  return 1 - fail;
}
