import { expect, it } from 'vitest'
import { z } from 'zod'
import { settingGroups, settings } from '../../apps/server/src/config.ts'
import { Count, secret, setting, Yes } from '../../apps/server/src/platform/settings/setting.ts'
import { describeSettingGroups } from './settings-page.ts'

it('describes a setting by its values, its default and whether it is a secret', () => {
  const page = describeSettingGroups({
    Example: {
      ATOLL_COUNT: setting(Count(1, 5), '2', 'How many.'),
      ATOLL_YES: setting(Yes, 'false', 'Whether.'),
      ATOLL_WORD: secret(z.string().min(16).optional(), 'A password.', 'none, a|b'),
    },
  })
  expect(page).toContain('| `ATOLL_COUNT` | How many. | whole number, 1 to 5 | `2` |')
  expect(page).toContain('| `ATOLL_YES` | Whether. | `true`, `false` | `false` |')
  expect(page).toContain('| `ATOLL_WORD` | A password. A secret. | at least 16 characters | none, a\\|b |')
})

it('has a row for every setting of the server', () => {
  const page = describeSettingGroups(settingGroups)
  for (const name of Object.keys(settings)) expect(page).toContain(`| \`${name}\` |`)
})
