import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { zipOf } from './zip.ts'

test('a ZIP is unpacked by another program to the same bytes, under the same names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-zip-'))
  try {
    const files = [
      { name: 'order.json', bytes: Buffer.from('{"total": 2880}') },
      { name: '账单/empty.txt', bytes: Buffer.alloc(0) },
      { name: 'large.bin', bytes: Buffer.alloc(300_000, 'reef') },
    ]
    writeFileSync(join(folder, 'a.zip'), zipOf(files, new Date('2026-11-27T03:14:02Z')))
    const program = 'import sys, zipfile; z = zipfile.ZipFile("a.zip"); assert z.testzip() is None; z.extractall("out")'
    execFileSync('python3', ['-c', program], { cwd: folder })
    for (const { name, bytes } of files) expect(readFileSync(join(folder, 'out', name)).equals(bytes)).toBe(true)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
