/** A page of the help from its Markdown: as much of it as the pages use. */

export type Inline =
  | { kind: 'text' | 'code' | 'strong' | 'em'; text: string }
  | { kind: 'link'; text: string; to: string }

export type Block =
  | { kind: 'heading'; id: string; text: string }
  | { kind: 'paragraph'; inlines: Inline[] }
  | { kind: 'list'; isOrdered: boolean; items: Inline[][] }

export interface HelpPage {
  title: string
  blocks: Block[]
}

export function readHelp(source: string): HelpPage {
  const parts = source
    .trim()
    .split(/\n{2,}/)
    .map((part) => part.trim())
  const title = parts[0]?.startsWith('# ') ? parts[0].slice(2) : ''
  const blocks = parts.slice(title === '' ? 0 : 1).map((part, at): Block => {
    if (part.startsWith('## ')) return { kind: 'heading', id: `h${at}`, text: part.slice(3) }
    const isOrdered = /^\d+\. /.test(part)
    if (!isOrdered && !part.startsWith('- ')) return { kind: 'paragraph', inlines: readInlines(joinLines(part)) }
    const items = part.split(isOrdered ? /^\d+\. /m : /^- /m).filter((item) => item.trim() !== '')
    return { kind: 'list', isOrdered, items: items.map((item) => readInlines(joinLines(item))) }
  })
  return { title, blocks }
}

/** Lines of a paragraph are one text; between Han no blank belongs. */
function joinLines(text: string): string {
  return text
    .trim()
    .replaceAll(/(?<=\p{Script=Han}|[，。：；、）”])\n\s*(?=\p{Script=Han}|[（“])/gu, '')
    .replaceAll(/\s*\n\s*/g, ' ')
}

const pattern = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\(([^)\s]+)\)/g

export function readInlines(text: string): Inline[] {
  const inlines: Inline[] = []
  let end = 0
  const plain = (to: number) => {
    if (to > end) inlines.push({ kind: 'text', text: text.slice(end, to) })
  }
  for (const match of text.matchAll(pattern)) {
    plain(match.index)
    end = match.index + match[0].length
    const [, code, strong, em, label, to] = match
    if (code !== undefined) inlines.push({ kind: 'code', text: code })
    else if (strong !== undefined) inlines.push({ kind: 'strong', text: strong })
    else if (em !== undefined) inlines.push({ kind: 'em', text: em })
    else if (label !== undefined && to !== undefined) inlines.push({ kind: 'link', text: label, to })
  }
  plain(text.length)
  return inlines
}
