/** Filters the preview's links by words, and adds the chosen look to them. */
const find = document.getElementById('find') as HTMLInputElement;
const looks = [...document.querySelectorAll<HTMLSelectElement>('[data-look]')];
const links = [...document.querySelectorAll<HTMLAnchorElement>('[data-find] > a')];

function filter(): void {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const link of links) {
    const item = link.parentElement as HTMLElement;
    item.hidden = !words.every((word) => item.dataset.find?.includes(word));
    const address = new URL(link.href);
    for (const { name, value } of looks) if (value !== '') address.searchParams.set(name, value);
    link.dataset.own ??= link.href;
    link.href = looks.some(({ value }) => value !== '') ? address.href : link.dataset.own;
  }
  for (const group of document.querySelectorAll<HTMLElement>('[data-group]')) {
    group.hidden = !group.querySelector('[data-find]:not([hidden])');
  }
}
find.form?.addEventListener('input', filter);
find.form?.addEventListener('submit', (event) => event.preventDefault());
