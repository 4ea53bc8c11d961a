import { eventsPath } from '@atoll/contract/wire'
import { expect, it } from 'vitest'
import { consoleApp } from '../stack/apps/console-app.ts'
import { desktop, openScreen } from '../stack/browser.ts'
import { createRunningCluster } from '../stack/clusters.ts'
import { createPerson } from '../stack/people.ts'
import { holdSession } from '../stack/signed-in.ts'
import { useStack } from '../stack/use-stack.ts'

const stack = useStack({ browser: true, sql: true })

it('moves without a reload', async () => {
  const person = await createPerson(stack.server.url)
  const { name } = await createRunningCluster(person.api)
  // Each measurement of the agent says something else, as on a machine that has something to do.
  await stack.sql.query(`
    create sequence busy;
    create function be_busy() returns trigger language plpgsql as $$
    begin
      new.cpu = (nextval('busy') % 100) / 100.0;
      return new;
    end $$;
    create trigger be_busy before insert or update on latest_samples for each row execute function be_busy();`)
  const { context, page, complaints } = await openScreen(stack.browser, { locale: 'en-US', viewport: desktop })
  let streams = 0
  page.on('request', (request) => {
    if (request.url().endsWith(eventsPath)) streams += 1
  })
  await holdSession(context, person.session)
  await page.goto(stack.server.url)
  const app = consoleApp(page, 'en-US')
  const figure = app
    .card(name)
    .getByText(/^\d+(\.\d+)?%$/)
    .first()
  const shown = new Set<string>()
  await expect.poll(async () => shown.add(await figure.innerText()).size, { timeout: 180_000 }).toBeGreaterThan(1)
  expect(streams).toBe(1)
  expect(complaints).toEqual([])
  await context.close()
})
