/**
 * `npm run doctor [-- --json]`: looks at the whole deployment and says what is wrong, each with its mend. Changes
 * nothing. Exit code 0 when nothing has failed, 1 when something has, 2 when it could not be looked at.
 */
import { parseArgs } from 'node:util'
import { allChecks, reportText } from '../../modules/doctor/index.ts'
import { isRelease } from '../../platform/install.ts'
import { runOperatorCommand, say, sayJson } from '../run-operator-command.ts'
import { examineDeployment } from './examine-deployment.ts'

const help = `Usage: ${isRelease ? 'atollctl doctor' : 'npm run doctor --'} [--json] [--only NAME,NAME]

Looks at the whole deployment and says what is wrong, each with its mend. Changes nothing.
  --json        the report as JSON
  --only NAME   these checks alone, by their names in --json

Exit codes: 0 nothing has failed (there may be warnings); 1 something has; 2 it could not be looked at.`

await runOperatorCommand(async ({ config, log }) => {
  const options = {
    json: { type: 'boolean' },
    only: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const
  const { values } = parseArgs({ options })
  if (values.help) {
    say(help)
    return 0
  }
  const only = values.only?.split(',')
  const checks = only ? allChecks.filter(({ name }) => only.includes(name)) : allChecks
  const report = await examineDeployment({ config, log }, checks)
  if (values.json) sayJson(report)
  else say(reportText(report))
  return report.failed === 0 ? 0 : 1
})
