import { locales } from '@atoll/contract/wire'
import { expect, test } from 'vitest'
import { helpNames } from './help-pages.ts'
import { type Block, readHelp, readInlines } from './read-help.ts'

const files = import.meta.glob<string>('../../../../docs/user/*/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const pageOf = (locale: string, name: string) => readHelp(files[`../../../../docs/user/${locale}/${name}.md`] ?? '')
/** That a help page may lead to: sections of the console, and none of one object. */
const pages = ['/create', '/profile', '/backup', '/domains', '/billing', '/sessions', '/activity']
const shapeOf = (blocks: Block[]) => blocks.map((block) => [block.kind, block.kind === 'list' && block.items.length])

test.each(helpNames)(
  'the page %s has a title and the same parts in every language, and leads to pages that are',
  (name) => {
    const [first, ...others] = locales.map((locale) => pageOf(locale, name))
    expect(first?.title).not.toBe('')
    for (const other of others) {
      expect(other.title).not.toBe('')
      expect(shapeOf(other.blocks)).toEqual(shapeOf(first?.blocks ?? []))
    }
    const inlines = [first, ...others].flatMap((page) =>
      (page?.blocks ?? []).flatMap((block) =>
        block.kind === 'paragraph' ? block.inlines : block.kind === 'list' ? block.items.flat() : [],
      ),
    )
    for (const inline of inlines) if (inline.kind === 'link') expect(pages).toContain(inline.to)
  },
)

test('reads what stands within a line', () => {
  expect(readInlines('Press *Go*, then [x](/bill) or **stop** `a*b`.')).toEqual([
    { kind: 'text', text: 'Press ' },
    { kind: 'em', text: 'Go' },
    { kind: 'text', text: ', then ' },
    { kind: 'link', text: 'x', to: '/bill' },
    { kind: 'text', text: ' or ' },
    { kind: 'strong', text: 'stop' },
    { kind: 'text', text: ' ' },
    { kind: 'code', text: 'a*b' },
    { kind: 'text', text: '.' },
  ])
})

test('joins lines of one paragraph, with a blank only where one belongs', () => {
  const { title, blocks } = readHelp('# T\n\none\ntwo\n\n恢复单个\n文件，\n再看\n\n1. a\n   b\n2. c\n')
  expect(title).toBe('T')
  expect(blocks).toEqual([
    { kind: 'paragraph', inlines: [{ kind: 'text', text: 'one two' }] },
    { kind: 'paragraph', inlines: [{ kind: 'text', text: '恢复单个文件，再看' }] },
    { kind: 'list', isOrdered: true, items: [[{ kind: 'text', text: 'a b' }], [{ kind: 'text', text: 'c' }]] },
  ])
})
