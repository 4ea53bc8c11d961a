import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inter } from '../../../http/pages/product-fonts.ts'
import type { Db } from '../../../platform/db/index.ts'
import { renderFeed } from './status-feed.ts'
import { renderStatus } from './status-page.ts'
import { findReport } from './status-store.ts'

/** Writes the page in both languages, the feeds and the font into a folder, for a host that stands on its own. */
export async function publishStatus(
  db: Db,
  { folder, product, publicUrl }: { folder: string; product: string; publicUrl: string },
): Promise<string[]> {
  const report = await findReport(db)
  const page = (locale: 'en-US' | 'zh-CN', other: string, feed: string) =>
    renderStatus(report, { product, locale, isOld: false, links: { other, feed, console: publicUrl, fonts: '.' } }).body
  const feed = (locale: 'en-US' | 'zh-CN') =>
    renderFeed(report, { product, locale, page: new URL('/status', publicUrl).href })
  const files = [
    ['index.html', page('en-US', 'zh.html', 'feed.xml')],
    ['zh.html', page('zh-CN', 'index.html', 'feed-zh.xml')],
    ['feed.xml', feed('en-US')],
    ['feed-zh.xml', feed('zh-CN')],
    [inter.file, inter.bytes],
  ] as const
  await mkdir(folder, { recursive: true })
  for (const [name, bytes] of files) {
    // A reader meanwhile gets the file before or the one after, whole.
    await writeFile(join(folder, `.${name}.new`), bytes, { mode: 0o644 })
    await rename(join(folder, `.${name}.new`), join(folder, name))
  }
  return files.map(([name]) => name)
}
