// WEIGHTS stands above: how much each page has to say on a word, or on two in a row.
const query = new URLSearchParams(window.location.search).get('q') ?? '';
const words = query.toLowerCase().match(/\w+/g) ?? [];

Scorer.score = ([page, , , , score]) => {
  const pairs = words.slice(1).map((word, place) => `${words[place]} ${word}`);
  const weigh = term => WEIGHTS.get(term)?.[page] ?? 0;
  return score + [...words, ...pairs].reduce((sum, term) => sum + weigh(term), 0);
};

// An excerpt is what a page says from the paragraph on that has most of the words, or their stems.
// Headings, code and tables read badly in a row, and no search gives an answer away.
Search.makeSearchSummary = (html, stems, anchor) => {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const leftOut = '.course-preview, details, table, script, style, annotation, .headerlink';
  page.querySelectorAll(leftOut).forEach(one => one.remove());
  const article = page.querySelector('article.bd-article');
  const place = (anchor && article?.querySelector(anchor)) || article;
  const said = [...place?.querySelectorAll('p, dt') ?? []]
    .map(one => one.textContent.replace(/\s+/g, ' ').trim()).filter(Boolean);
  if (!said.length) return null;
  const wanted = [...new Set([...words, ...stems])];
  const counts = said.map(text => wanted.filter(one => text.toLowerCase().includes(one)).length);
  const text = said.slice(counts.indexOf(Math.max(...counts))).join(' ');
  const shown = document.createElement('p');
  shown.className = 'context';
  shown.textContent = text.length > 240 ? `${text.slice(0, 240).replace(/\s+\S*$/, '')} …` : text;
  return shown;
};
