// The outbox: the code or the link of each message is in the list, is copied with one press, and is read without JavaScript.
import { expect, test } from '../fixtures'
import { PEOPLE } from '../people'
import { PasswordlessPage } from '../screens/passwordless-page'
import { expectAccessible } from '../support/accessibility'
import { newestTo } from '../support/outbox'

const { otto } = PEOPLE
const NUMBER = '+4915123450014'

test('the list has codes and links, with a button to copy each', async ({ app, browser, context, page }) => {
  await app.startLogin('bottle', { connection: 'sms' })
  await new PasswordlessPage(page).send(NUMBER)
  const { code } = await newestTo(NUMBER)
  await app.startLogin('spa')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByLabel('Email address').fill(otto.email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  const { link } = await newestTo(otto.email)

  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  const listTo = (to: string): string => `/dev/outbox?${new URLSearchParams({ to })}`
  await page.goto(listTo(NUMBER))
  await page
    .getByRole('button', { name: `Copy the code for ${NUMBER}` })
    .first()
    .click()
  await expect.poll(copied).toBe(code)
  await page.goto(listTo(otto.email))
  await page
    .getByRole('button', { name: `Copy the link for ${otto.email}` })
    .first()
    .click()
  await expect.poll(copied).toBe(link)
  await expectAccessible(page, 'the outbox with messages')

  const plain = await browser.newContext({ javaScriptEnabled: false })
  const bare = await plain.newPage()
  const list = bare.locator('.letters')
  await bare.goto(listTo(NUMBER))
  await expect(list.getByText(code ?? '', { exact: true })).toBeVisible()
  await bare.goto(listTo(otto.email))
  await expect(list.getByRole('link', { name: link ?? '', exact: true })).toBeVisible()
  await expect(list.getByRole('button')).toHaveCount(0)
  await plain.close()
})
