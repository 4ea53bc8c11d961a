/** The printed sheet of a backup: to be kept apart from the machine. */
export interface Sheet {
  title: string
  rows: readonly (readonly [label: string, value: string])[]
  text: string
}

/** Prints it from a frame of its own, which goes when the printing is over: the page is left as it is. */
export function printSheet({ title, rows, text }: Sheet): void {
  const frame = document.createElement('iframe')
  // Not `hidden`: a browser prints nothing of a frame that is not laid out.
  Object.assign(frame.style, { position: 'fixed', width: '0', height: '0', border: '0' })
  frame.ariaHidden = 'true'
  document.body.append(frame)
  const { contentDocument: page, contentWindow: view } = frame
  // They are there as soon as it is in the page.
  if (!page || !view) throw new Error('a frame has no page')
  const element = (name: string, content: string) => Object.assign(page.createElement(name), { textContent: content })
  const list = page.createElement('dl')
  for (const [label, value] of rows) list.append(element('dt', label), element('dd', value))
  page.title = title
  page.body.append(element('h1', title), list, element('p', text))
  view.addEventListener('afterprint', () => frame.remove())
  view.print()
}
