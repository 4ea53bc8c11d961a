import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { loadTextsOf, startLanguage } from '../locales/language.ts'
import { UserFilter } from './UserFilter.tsx'

test('in Chinese an Admin among the users is marked as 管理员, and nobody else', async () => {
  onTestFinished(() => void vi.unstubAllGlobals())
  vi.stubGlobal('navigator', { languages: ['zh-CN'] })
  vi.stubGlobal('document', { documentElement: { lang: '' } })
  await startLanguage()
  await loadTextsOf('/')
  vi.unstubAllGlobals()
  const users = [
    { userid: 'did:key:zReef', terminusName: 'reef@atoll.test', role: 'User' as const },
    { userid: 'did:key:zMoa', terminusName: 'moa@atoll.test', role: 'Admin' as const },
  ]
  const shown = (user: string) => {
    const filter = <UserFilter users={users} user={user} onChoose={() => undefined} />
    const html = renderToStaticMarkup(<MantineProvider>{filter}</MantineProvider>)
    return /aria-label="([^"]*)"/.exec(html)?.[1]
  }
  expect(shown('did:key:zReef')).toMatch(/reef@atoll\.test$/)
  expect(shown('did:key:zMoa')).toMatch(/moa@atoll\.test（管理员）$/)
})
