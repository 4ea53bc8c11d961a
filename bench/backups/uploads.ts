/** The rise of the vault's memory while many long files arrive at once. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { Ratio } from '../figures.ts'
import { openInVault, type Rows, removeFolder, type startVault } from './places.ts'
import { forgetPeak, peakMemory } from './processor.ts'

const uploads = 100
const bytes = 64 * 2 ** 20
const partBytes = 2 ** 20

export async function measureUploads(
  rows: Rows,
  { child, port }: Awaited<ReturnType<typeof startVault>>,
  vaultFolder: string,
): Promise<Ratio> {
  const { pid } = child
  if (pid === undefined) throw new Error('the vault did not start')
  const opened = await openInVault(rows, port)
  const authorization = `Basic ${Buffer.from(`${opened.grantId}:${opened.token}`).toString('base64')}`
  const part = randomBytes(partBytes)

  /** Another file each time: its first bytes are its own. */
  async function send(length: number): Promise<void> {
    const parts = [randomBytes(partBytes), ...Array<Buffer>(length / partBytes - 1).fill(part)]
    const hash = createHash('sha256')
    for (const each of parts) hash.update(each)
    const headers = { authorization, 'content-length': length }
    const request = http.request(`${opened.url}data/${hash.digest('hex')}`, { method: 'POST', headers, agent: false })
    const answered = once(request, 'response')
    for (const each of parts) if (!request.write(each)) await once(request, 'drain')
    request.end()
    const [answer] = await answered
    answer.resume()
    if (answer.statusCode !== 200) throw new Error(`the vault answered ${answer.statusCode}`)
  }

  // The heap of a program that has just started grows whatever it does.
  for (let warm = 0; warm < 10; warm += 1) await send(bytes)
  forgetPeak(pid)
  const before = peakMemory(pid)
  await Promise.all(Array.from({ length: uploads }, () => send(bytes)))
  const after = peakMemory(pid)
  removeFolder(`${vaultFolder}/${opened.repositoryId}`)
  return {
    name: `MB that the memory of the vault rises by while ${uploads} files of 64 MiB come at once`,
    value: after - before,
    target: { atMost: 64 },
    from: `${before.toFixed(0)} MB, then at most ${after.toFixed(0)} MB`,
  }
}
