// Users are imported from a file and exported to one in the console.
import { randomUUID } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures'
import { ADA } from '../people'
import { enter, enterAs, panel, title } from '../support/console'
import { expectReadable } from '../support/readable'

const FIRST = 'Username-Password-Authentication'

const csvOf = (suffix: string): string =>
  [
    'E-mail;First name;Plan;Active',
    `ann-${suffix}@e2e.test;<script>alert(1)</script>;gold;yes`,
    `bob-${suffix}@e2e.test;Bob;silver;no`,
    'no address;Nobody;gold;yes',
  ].join('\n')

async function send(page: Page, name: string, text: string): Promise<void> {
  await page.goto('/console/users/import')
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
  await page.getByRole('button', { name: 'Look at the file' }).click()
}

test.describe('a file', () => {
  for (const javaScriptEnabled of [true, false])
    test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
      test.use({ javaScriptEnabled })

      test('is looked at, mapped, imported and followed, with a list of what failed', async ({
        page: own,
        browser,
      }) => {
        const suffix = randomUUID()
        // Each person has one file, so each test is another person.
        const page = javaScriptEnabled ? await enterAs(browser, 'Admin') : own
        if (javaScriptEnabled) await page.goto('/console/users')
        else await enter(page, '/console/users', ADA)
        await page.getByRole('link', { name: 'Import', exact: true }).click()
        if (javaScriptEnabled) await expectReadable(page, 'console-import')
        await send(page, 'people.csv', csvOf(suffix))
        await expect(page.getByText('The file has 3 users and 4 columns.')).toBeVisible()
        await expect(page.getByLabel('Becomes: First name')).toHaveValue('given_name')
        await expect(page.getByLabel('Becomes: Plan')).toHaveValue('')
        await page.getByLabel('Becomes: Plan').selectOption('user_metadata.Plan')
        await page.getByLabel('Database').selectOption({ label: FIRST })
        await page.getByRole('button', { name: 'Show what would happen' }).click()
        await expect(panel(page, 'First users')).toContainText(
          'Of the first 3: 2 new, 0 changed, 0 as they are, 1 refused.',
        )
        await expect(page.getByLabel('Becomes: Plan')).toHaveValue('user_metadata.Plan')
        if (javaScriptEnabled) await expectReadable(page, 'console-import-preview')
        await panel(page, 'Import').getByRole('button', { name: 'Import' }).click()
        await expect(title(page, 'Import of users')).toBeVisible()
        await expect(panel(page, 'Progress')).toContainText('Finished.', { timeout: 60_000 })
        await expect(panel(page, 'Refused users')).toContainText('email')
        if (javaScriptEnabled) await expectReadable(page, 'console-import-done')
        const [failures] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('link', { name: 'Download as CSV' }).click(),
        ])
        const chunks: Buffer[] = []
        for await (const chunk of await failures.createReadStream()) chunks.push(chunk as Buffer)
        const lines = Buffer.concat(chunks).toString('utf8').trim().split('\r\n')
        expect(lines).toHaveLength(2)
        expect(lines[1]).toContain('"3","","no address"')
        await page.goto(`/console/users?q=bob-${suffix}`)
        await expect(page.getByRole('row').nth(1)).toContainText('Blocked')
      })
    })
})

test('a file that cannot be read, or is discarded, leaves nothing', async ({ browser }) => {
  const page = await enterAs(browser, 'Admin')
  await send(page, 'people.csv', 'email,email\na@b.test,c@d.test\n')
  await expect(page.getByRole('alert').filter({ hasText: 'two columns' })).toBeVisible()
  await send(page, 'people.json', JSON.stringify([{ email: 'a@b.test' }]))
  const address = page.url()
  await page.getByRole('button', { name: 'Discard the file' }).click()
  await expect(page).toHaveURL((url) => url.pathname === '/console/users/import')
  expect((await page.goto(address))?.status()).toBe(404)
})

test('an admin exports chosen fields; another administrator does not get the file', async ({ page, browser }) => {
  const admin = await enterAs(browser, 'Admin')
  await admin.goto('/console/users/export')
  await expectReadable(admin, 'console-export')
  await admin.getByLabel('Format').selectOption('csv')
  for (const name of ['Picture', 'Nickname']) await admin.getByLabel(name, { exact: true }).uncheck()
  await admin.getByRole('button', { name: 'Export' }).click()
  await expect(panel(admin, 'Progress')).toContainText('Finished.', { timeout: 60_000 })
  await expectReadable(admin, 'console-export-done')
  const file = new URL(`${admin.url().split('?')[0]}/file`).href
  const sent = await admin.request.get(file)
  expect(sent.status()).toBe(200)
  const [head = ''] = gunzipSync(await sent.body())
    .toString('utf8')
    .split('\n')
  expect(head).toContain('email,email_verified')
  expect(head).not.toContain('picture')
  await enter(page, '/console', ADA)
  expect((await page.request.get(file)).status()).toBe(404)
  await page.goto(file.replace('/file', ''))
  await expect(panel(page, 'File')).toContainText('Another person made this export')
  expect((await (await browser.newContext()).request.get(file, { maxRedirects: 0 })).status()).toBe(303)
  await admin.context().close()
})

test('user support neither imports nor gets at an import, and other pages cannot send a file', async ({ browser }) => {
  const support = await enterAs(browser, 'User support')
  await support.goto('/console/users')
  await expect(support.getByRole('link', { name: 'Import', exact: true })).toHaveCount(0)
  expect((await support.goto('/console/users/import'))?.status()).toBe(403)
  const { origin } = new URL(support.url())
  const multipart = { file: { name: 'a.json', mimeType: 'application/json', buffer: Buffer.from('[{}]') } }
  const own = { origin, 'sec-fetch-site': 'same-origin' }
  const upload = '/console/users/import/upload'
  expect((await support.request.post(upload, { multipart, headers: own, maxRedirects: 0 })).status()).toBe(403)
  await support.context().close()
  const admin = await enterAs(browser, 'Admin')
  const foreign = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }
  for (const path of [upload, '/console/users/import/start'])
    expect((await admin.request.post(path, { multipart, headers: foreign, maxRedirects: 0 })).status()).toBe(403)
  await admin.context().close()
})
