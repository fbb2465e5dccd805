(() => {
  const MOVES = {ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity};
  const BUTTONS = {First: -Infinity, Previous: -1, Next: 1, Last: Infinity};

  function make(tag, kind, text = '') {
    const element = document.createElement(tag);
    if (kind) element.className = 'autograd-step-' + kind;
    element.textContent = text;
    return element;
  }

  // The parts of the picture by their names: "n3" is function 3, "n4->n3" an edge.
  function parts(graph) {
    const named = Array.from(graph.querySelectorAll('g > title'), title =>
      [title.textContent, title.parentNode]);
    return new Map(named);
  }

  function mark(graph, named, steps, at, behavior) {
    for (const part of named.values()) {
      part.classList.remove('autograd-step-now', 'autograd-step-done', 'autograd-step-way');
    }
    const {node, goesTo = ''} = steps[at].dataset;
    for (const step of steps.slice(0, at)) {
      named.get('n' + step.dataset.node)?.classList.add('autograd-step-done');
    }
    for (const target of goesTo.split(' ')) {
      named.get(`n${target}->n${node}`)?.classList.add('autograd-step-way');
    }
    const now = named.get('n' + node);
    if (!now) return;
    now.classList.add('autograd-step-now');
    const [inner, outer] = [now, graph].map(element => element.getBoundingClientRect());
    const top = inner.top + inner.height / 2 - outer.top - outer.height / 2;
    const left = inner.left + inner.width / 2 - outer.left - outer.width / 2;
    graph.scrollBy({left, top, behavior});  // at once: a second scroll would end the first
  }

  function fillTable(table, steps, at) {
    const rows = steps.flatMap((step, place) => {
      const {leaf, before, after} = step.dataset;
      if (!leaf) return [];
      const row = make('tr', place === at ? 'new' : '');
      const value = place <= at ? after : before;
      row.append(make('th', '', leaf), make('td', '', value + (place === at ? ' ← now' : '')));
      row.firstChild.scope = 'row';
      return [row];
    });
    table.replaceChildren(make('caption', '', '.grad of the leaves'), ...rows);
    table.hidden = rows.length === 0;
  }

  function start(root) {
    root.dataset.started = 'yes';
    const list = root.querySelector('.autograd-step-list');
    const steps = Array.from(list.children);
    if (!steps.length) return;
    const player = make('div', 'player');
    player.tabIndex = 0;
    player.setAttribute('role', 'group');
    player.setAttribute('aria-label', 'Backward pass, step by step: arrow keys, Home and End');
    const sides = make('div', 'sides');
    const graph = make('div', 'graph');
    graph.tabIndex = 0;  // where it is larger than its window, up and down scroll it
    graph.setAttribute('role', 'group');
    graph.setAttribute('aria-label', 'graph');
    graph.innerHTML = root.querySelector('.autograd-step-picture').textContent;
    const said = make('div', 'said');
    const step = make('div', 'step');
    step.setAttribute('aria-live', 'polite');
    step.setAttribute('aria-atomic', 'true');
    const table = make('table', '');
    said.append(step, table);
    sides.append(graph, said);
    const buttons = Object.entries(BUTTONS).map(([name, by]) => {
      const button = make('button', '', name);
      button.type = 'button';
      button.addEventListener('click', () => move(by));
      return button;
    });
    player.append(...buttons, sides);
    list.before(player);
    list.hidden = true;
    const named = parts(graph);
    graph.hidden = named.size === 0;
    let at = 0;

    function move(by, behavior = 'auto') {
      at = Math.max(0, Math.min(steps.length - 1, at + by));
      const drawn = named.size === 0 || named.has('n' + steps[at].dataset.node);
      const where = `Step ${steps[at].dataset.node} of ${list.dataset.count}`
        + (drawn ? '' : ', not in the picture');
      step.innerHTML = steps[at].innerHTML;
      step.prepend(make('p', '', where));
      fillTable(table, steps, at);
      mark(graph, named, steps, at, behavior);
      // Not `disabled`: a button that is would lose the focus.
      buttons.forEach((button, place) => {
        const end = place < 2 ? 0 : steps.length - 1;
        button.setAttribute('aria-disabled', String(at === end));
      });
    }
    player.autogradStepMove = move;
    move(0, 'instant');
  }

  // On the window, before JupyterLab, to which the arrow keys mean other cells.
  if (!window.autogradStepKeys) {
    window.autogradStepKeys = true;
    window.addEventListener('keydown', event => {
      const player = event.target.closest?.('.autograd-step-player');
      const modified = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey;
      if (!player || modified || !(event.key in MOVES)) return;
      player.autogradStepMove?.(MOVES[event.key]);
      event.preventDefault();
      event.stopImmediatePropagation();
    }, true);
  }
  document.querySelectorAll('.autograd-step:not([data-started])').forEach(start);
})();
