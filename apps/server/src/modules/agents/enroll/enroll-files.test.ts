import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { createEnrollFiles } from './enroll-files.ts'

test('files are offered by their content: after an update no old name is found any longer, and the new ones lead to it', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'atoll-enroll-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const [archive, node] = [join(dataDir, 'agent.tar.gz'), join(dataDir, 'node')]
  const files = createEnrollFiles({ archive, node, dataDir })
  expect(await files.offer()).toBeUndefined()
  const former: string[] = []
  for (const version of ['1', 'the second']) {
    await writeFile(archive, `agent ${version}`)
    await writeFile(node, `node ${version}`)
    const { agentFile = '', nodeFile = '', ...hashes } = (await files.offer()) ?? {}
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
    expect(hashes).toMatchObject({ agentSha256: sha256(`agent ${version}`), nodeSha256: sha256(`node ${version}`) })
    expect(await readFile((await files.find(agentFile)) ?? '', 'utf8')).toBe(`agent ${version}`)
    expect(String(gunzipSync(await readFile((await files.find(nodeFile)) ?? '')))).toBe(`node ${version}`)
    for (const name of [...former, 'agent.tar.gz', '../agent.tar.gz', ''])
      expect(await files.find(name)).toBeUndefined()
    former.push(agentFile, nodeFile)
  }
})
