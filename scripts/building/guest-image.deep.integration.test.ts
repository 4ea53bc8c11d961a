import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { whyNoLxd } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureResticOf } from '../programs/restic.ts'
import { buildGuestImage } from './guest-image.ts'

const missing = whyNoLxd()

describe.skipIf(missing)(missing ? `the image of instances: ${missing}` : 'the image of instances', () => {
  let folder: string
  let fingerprint: string
  let restic: string | undefined
  beforeAll(async () => {
    restic = await ensureResticOf('trixie')
    folder = mkdtempSync(join(tmpdir(), 'atoll-image-'))
    fingerprint = await build('first')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  async function build(name: string): Promise<string> {
    mkdirSync(join(folder, name))
    return await buildGuestImage(join(folder, name), restic)
  }

  test('is the same bytes when it is built again, and named as LXD names them', async () => {
    expect(await build('second')).toBe(fingerprint)
    const hash = createHash('sha256')
    for (const part of ['metadata.tar.gz', 'rootfs.squashfs']) hash.update(readFileSync(join(folder, 'first', part)))
    expect(fingerprint).toBe(hash.digest('hex'))
  })

  test('holds restic, which runs with nothing but what is in it', () => {
    const root = join(folder, 'root')
    execFileSync('unsquashfs', ['-q', '-no-progress', '-d', root, join(folder, 'first/rootfs.squashfs')])
    // Its own libraries, as in an instance: `chroot` is for root alone, as is LXD.
    expect(execFileSync('chroot', [root, '/usr/bin/restic', 'version'], { encoding: 'utf8' })).toMatch(/^restic 0\.18/)
  })

  test('holds the agent as one folder, and nothing of this project’s packages or sources', () => {
    const listing = execFileSync('unsquashfs', ['-l', join(folder, 'first/rootfs.squashfs')], { encoding: 'utf8' })
    expect(listing).toContain('/opt/atoll/agent/main.mjs\n')
    expect(listing).toContain('/opt/atoll/agent/web/dist/release.json\n')
    expect(listing).not.toMatch(/node_modules|\.ts\n/)
  })
})
