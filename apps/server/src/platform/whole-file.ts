import { randomBytes } from 'node:crypto'
import { open, rename } from 'node:fs/promises'

/** Writes a small file for its owner alone: after a kill it is there as it was before, or whole. */
export async function writeWholeFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.new`
  {
    await using file = await open(draft, 'wx', 0o600)
    await file.writeFile(text)
    await file.sync()
  }
  await rename(draft, path)
}
