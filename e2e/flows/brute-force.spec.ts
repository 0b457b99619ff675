import type { BrowserContext } from '@playwright/test'
import { expect, test } from '../fixtures'
import { PEOPLE } from '../people'
import { NoticePage } from '../screens/notice-page'
import { expectAccessible, WCAG } from '../support/accessibility'
import { messagesTo, newestTo } from '../support/outbox'

test.slow()

const { dan } = PEOPLE
const LIMIT = 10

/** The mail as a mail program shows it: a separate document without landmarks. */
async function expectAccessibleMail(html: string, context: BrowserContext): Promise<void> {
  const page = await context.newPage()
  await page.setContent(html)
  await expectAccessible(page, 'the mail', WCAG)
  await page.close()
}

test('ten wrong passwords block the account here; the mailed link and its button unlock it', async ({
  app,
  context,
  loginPage,
  noticePage,
  page,
}) => {
  await app.startLogin('spa')
  const form = page.url()
  const state = new URL(form).searchParams.get('state') ?? ''
  const guess = { state, action: 'login', username: dan.email, password: 'wrong' }
  for (let attempt = 1; attempt < LIMIT; attempt += 1) await page.request.post('/u/submit', { form: guess })
  await loginPage.signIn(dan.email, 'wrong')
  await expect(loginPage.problem).toContainText('These details don’t match any account.')
  await loginPage.signIn(dan.email)
  await noticePage.expectTitle('Sign-in is paused')
  await expect(page.getByText('We paused sign-in after too many failed attempts.')).toBeVisible()
  await expectAccessible(page, 'sign-in is paused')

  const mail = await newestTo(dan.email)
  expect(await messagesTo(dan.email)).toHaveLength(1)
  const outbox = await context.newPage()
  await outbox.goto(`/dev/outbox?${new URLSearchParams({ to: dan.email })}`)
  await expect(outbox.getByRole('article', { name: mail.subject })).toBeVisible()
  await expectAccessible(outbox, 'the outbox with a message')
  await expectAccessibleMail(mail.html, context)
  const opened = context.waitForEvent('page')
  await outbox.getByRole('link', { name: 'Open the link' }).click()
  const unlocking = await opened
  const unlockPage = new NoticePage(unlocking)
  await unlockPage.expectTitle('Unlock your account')
  await expectAccessible(unlocking, 'unlocking')

  // Opening the link alone, as mail scanners do, unlocks nothing.
  await page.goto(form)
  await loginPage.signIn(dan.email)
  await noticePage.expectTitle('Sign-in is paused')

  await unlockPage.unlock.click()
  await unlockPage.expectTitle('Your account is unlocked')
  await expectAccessible(unlocking, 'unlocked')
  await page.goto(form)
  await loginPage.signIn(dan.email)
  await app.expectWelcome(dan.name)
})

test('a link that is not ours unlocks nothing', async ({ noticePage, page }) => {
  await page.goto('/u/unblock?ticket=made-up')
  await noticePage.expectTitle('This link no longer works')
})
