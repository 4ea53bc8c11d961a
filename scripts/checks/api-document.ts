import { createConfig, lintFromString } from '@redocly/openapi-core'
import { openApiDocument } from '../../apps/server/src/http/openapi.ts'
import { listCalls } from './call-table.ts'

/** Findings of the linter's recommended rules, warnings too, in `document`; one line each. */
export async function findApiProblems(document: object = apiDocument()): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config })
  return problems.map(
    ({ ruleId, message, location }) => `openapi.json${location[0]?.pointer ?? ''}: ${message} (${ruleId})`,
  )
}

/** `/openapi.json` as a deployment with every call of the contract answers it. */
export function apiDocument(): object {
  return openApiDocument(listCalls(), { title: 'Atoll', url: 'https://console.atoll.test' })
}
