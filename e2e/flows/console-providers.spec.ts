// The providers of mails and messages in the console. None is set here: the messages of other flows would take another way.
import { expect, test } from '../fixtures'
import { ADA } from '../people'
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility'
import { enter, enterAs, panel, sections, title } from '../support/console'

test.slow()

test('an owner chooses a kind of provider, and hears what is wrong with it', async ({ page }) => {
  await enter(page, '/console', ADA)
  await sections(page).getByRole('link', { name: 'Messages' }).click()
  await expect(title(page, 'Messages')).toBeVisible()
  await page.getByRole('link', { name: 'Mailgun' }).click()
  await expect(panel(page, 'New provider: Mailgun').getByLabel('Domain')).toBeVisible()
  await page.getByRole('link', { name: 'SMTP' }).click()
  const smtp = panel(page, 'New provider: SMTP')
  await smtp.getByLabel('Sender').fill('Shop <hello@e2e.test>')
  await smtp.getByLabel('Host').fill('no host')
  await smtp.getByLabel('Port').fill('587')
  await smtp.getByRole('button', { name: 'Set the provider' }).click()
  await expect(smtp.getByRole('alert')).toContainText('Host: must be a host name')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page, 'a new provider of mail')
  await expectNoSidewaysScroll(page)

  // The page asks before it is left, because something is not saved.
  page.once('dialog', (dialog) => dialog.accept())
  await page.getByRole('link', { name: 'Phone', exact: true }).click()
  const phone = panel(page, 'New provider: Twilio')
  await phone.getByLabel('Account SID').fill('not an id')
  await phone.getByLabel('Auth token').fill('a-token-of-the-account')
  await phone.getByLabel('Text messages', { exact: true }).check()
  await phone.getByRole('button', { name: 'Set the provider' }).click()
  await expect(phone.getByRole('alert')).toContainText('Account SID: must be the id of an account')
  await expectAccessible(page, 'a new provider of messages')
  await expectNoSidewaysScroll(page)
})

for (const role of ['Auditor', 'Admin'])
  test(`the role ${role} reads and sets nothing`, async ({ browser }) => {
    const page = await enterAs(browser, role)
    for (const path of ['/console/providers', '/console/providers/phone']) {
      await page.goto(path)
      await expect(page.getByText('No provider is set.')).toBeVisible()
      await expect(page.getByRole('main').getByRole('button')).toHaveCount(0)
      await expectAccessible(page, `${path} of the role ${role}`)
    }
    await page.context().close()
  })

test('user support does not see the section', async ({ browser }) => {
  const page = await enterAs(browser, 'User support')
  await expect(sections(page).getByRole('link', { name: 'Messages' })).toHaveCount(0)
  for (const path of ['/console/providers', '/console/providers/phone']) {
    await page.goto(path)
    await expect(title(page, 'Not part of your role')).toBeVisible()
  }
  await page.context().close()
})
