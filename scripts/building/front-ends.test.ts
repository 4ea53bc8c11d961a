import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openToAll } from './front-ends.ts'

it('what was built under a strict umask can be read by every user', () => {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-dist-'))
  try {
    mkdirSync(join(folder, 'assets'), { mode: 0o700 })
    for (const name of ['.sources', 'index.html', 'assets/index.js']) {
      writeFileSync(join(folder, name), '')
      chmodSync(join(folder, name), 0o600)
    }
    openToAll(folder)
    const modeOf = (name: string) => (statSync(join(folder, name)).mode & 0o777).toString(8)
    expect(['.', 'assets', '.sources', 'index.html', 'assets/index.js'].map(modeOf)).toEqual([
      '755',
      '755',
      '644',
      '644',
      '644',
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
