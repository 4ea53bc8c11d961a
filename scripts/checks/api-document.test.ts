import { expect, it } from 'vitest'
import { apiDocument, findApiProblems } from './api-document.ts'

it('finds nothing in the document of our own calls', async () => {
  expect(await findApiProblems()).toEqual([])
})

it('names what the rules are broken by, and where', async () => {
  const document = apiDocument() as { paths: Record<string, { post: { security?: unknown } }> }
  const path = '/v2/user/activeLogin'
  delete document.paths[path]?.post.security
  expect(await findApiProblems(document)).toEqual([
    expect.stringMatching(/^openapi\.json#\/paths\/~1v2~1user~1activeLogin\/post: .*security.* \(security-defined\)$/),
  ])
})
