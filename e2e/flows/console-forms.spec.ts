// What the forms of the console keep: through a refusal, a change by someone else, a lost connection and a second sign-in, with JavaScript and
// without; and the way back from a change.
import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../fixtures'
import { ADA } from '../people'
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility'
import { enter, enterAsNew, panel, signIn, title } from '../support/console'
import { ageSignIn } from '../support/database'

test.slow()

const alert = (page: Page): Locator => page.getByRole('main').getByRole('alert')
const save = (page: Page): Locator => page.getByRole('button', { name: 'Save', exact: true })

/** A page of a new application. */
async function makeApplication(page: Page): Promise<string> {
  const name = `Forms ${randomUUID()}`
  await enter(page, '/console/applications/new?kind=spa', ADA)
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByLabel('Allowed callback URLs').fill('http://localhost:5173')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(title(page, name)).toBeVisible()
  return name
}

test('a long form says what was changed, keeps it without a connection, and takes it back within thirty seconds', async ({
  page,
}) => {
  await makeApplication(page)
  await expect(page.getByText('No changes')).toBeVisible()
  await page.getByLabel('Description').fill('For the harbour')
  await page.getByLabel('Allowed callback URLs').fill('http://localhost:5173\nnot an address')
  await expect(page.getByText('Line 2: “not an address” is not an address')).toBeVisible()
  await expect(page.getByText('2 changes: Description, Allowed callback URLs')).toBeVisible()
  await expectAccessible(page, 'a form with changes')

  let question = ''
  page.once('dialog', (dialog) => {
    question = dialog.message()
    return dialog.dismiss()
  })
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  expect(question).toContain('not saved')
  await expect(page.getByLabel('Description')).toHaveValue('For the harbour')

  await save(page).click()
  await expect(alert(page)).toContainText('Allowed callback URLs: Line 2: ')
  await expect(page.getByLabel('Allowed callback URLs')).toBeFocused()
  await expectAccessible(page, 'a refused form')
  await page.getByLabel('Allowed callback URLs').fill('http://localhost:5173\nhttps://harbour.example')
  await page.context().setOffline(true)
  await save(page).click()
  await expect(alert(page)).toContainText('The server was not reached')
  await expect(page.getByLabel('Description')).toHaveValue('For the harbour')
  await page.context().setOffline(false)
  await save(page).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone.', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Description')).toHaveValue('')
  await expect(page.getByLabel('Allowed callback URLs')).toHaveValue('http://localhost:5173')
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0)

  await page.getByLabel('Description').fill('Discarded')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByLabel('Description')).toHaveValue('')
  await expect(page.getByText('No changes')).toBeVisible()
})

test('what is typed while a save is under way stays, and is a change', async ({ page }) => {
  await makeApplication(page)
  await page.getByLabel('Description').fill('For the harbour')
  let hasSent = false
  let answer = (): void => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/console/applications/**', async (route) => {
    if (route.request().method() === 'POST') {
      hasSent = true
      await held
    }
    await route.continue()
  })
  await save(page).click()
  await expect.poll(() => hasSent).toBe(true)
  await page.getByLabel('Description').fill('For the harbour, and the ships')
  answer()
  await expect(page.getByText('Saved.')).toBeVisible()
  await expect(page.getByText('1 change: Description')).toBeVisible()
  await expect(page.getByLabel('Description')).toHaveValue('For the harbour, and the ships')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByLabel('Description')).toHaveValue('For the harbour')
})

test('a form is done in the same document, and what is typed in another form of the page stays and is saved', async ({
  page,
}) => {
  await enter(page, '/console/users/new?connection=Username-Password-Authentication', ADA)
  await page.getByLabel('E-mail address').fill(`${randomUUID()}@e2e.test`)
  await page.getByRole('textbox', { name: 'Password' }).fill('a quiet harbour in winter')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Created.')).toBeVisible()
  await page.evaluate(() => Reflect.set(window, 'isSameDocument', true))
  const before = await page.getByLabel('Nickname').inputValue()
  await page.getByLabel('Nickname').fill('Harbour')
  await page.getByRole('button', { name: 'Block', exact: true }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Unblock' })).toBeVisible()
  await expect(page.getByLabel('Nickname')).toHaveValue('Harbour')
  await save(page).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await expect(page.getByText('No changes')).toBeVisible()
  await expect(page.getByLabel('Nickname')).toHaveValue('Harbour')
  await expectAccessible(page, 'a page that says what was saved')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone.')).toBeVisible()
  await expect(page.getByLabel('Nickname')).toHaveValue(before)
  expect(await page.evaluate(() => Reflect.get(window, 'isSameDocument'))).toBe(true)
})

test('metadata is edited in an editor that says where it breaks off, and that Tab leaves', async ({ page }) => {
  await enter(page, '/console/users/new?connection=Username-Password-Authentication', ADA)
  await page.getByLabel('E-mail address').fill(`${randomUUID()}@e2e.test`)
  await page.getByRole('textbox', { name: 'Password' }).fill('a quiet harbour in winter')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Created.')).toBeVisible()
  const metadata = page.getByRole('main')
  await metadata.getByLabel('User metadata').click()
  await expect(metadata.locator('.cm-editor')).toBeVisible()
  await metadata.getByLabel('User metadata').fill('{"ship": ')
  await expect(metadata.getByText('this is not valid JSON')).toBeVisible()
  await expectAccessible(page, 'an editor with a fault')
  await page.keyboard.press('Tab')
  await expect(metadata.getByLabel('App metadata')).toBeFocused()
  await metadata.getByLabel('User metadata').fill('{"ship": {"name": "Ada"}}')
  await save(page).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await expect(metadata.getByText('"name": "Ada"')).toBeVisible()
})

test('a list shows what was made, also where its page had been fetched ahead', async ({ page }) => {
  const name = `Keeper ${randomUUID()}`
  let isFetched = false
  // From the start: the pointer may rest on the link when the page begins.
  page.on('requestfinished', (request) => {
    isFetched ||= request.url().includes('/console/roles?_rsc')
  })
  await enter(page, '/console/roles/new', ADA)
  // A pointer that rests before the page has started fetches nothing.
  await expect(async () => {
    await page.mouse.move(0, 0)
    await page.getByRole('main').getByRole('link', { name: 'Roles' }).hover()
    await expect.poll(() => isFetched, { timeout: 1000 }).toBe(true)
  }).toPass()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Created.')).toBeVisible()
  await page.waitForLoadState('networkidle')
  await page.getByRole('main').getByRole('link', { name: 'Roles' }).click()
  await expect(page.getByRole('cell', { name, exact: true })).toBeVisible()
})

test('an undo is refused where the object was changed since', async ({ page }) => {
  await makeApplication(page)
  await page.getByLabel('Description').fill('First')
  await save(page).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  const other = await page.context().newPage()
  await other.goto(new URL(page.url()).pathname)
  await other.getByLabel('Description').fill('Of another person')
  await save(other).click()
  await expect(other.getByText('Saved.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(alert(page)).toContainText('Someone else changed this since')
  await page.reload()
  await expect(page.getByLabel('Description')).toHaveValue('Of another person')
})

for (const javaScriptEnabled of [true, false])
  test(`a change by someone else is shown beside that of the person, and either is taken, ${
    javaScriptEnabled ? 'with' : 'without'
  } JavaScript`, async ({ browser, page: other }) => {
    await makeApplication(other)
    const context = await browser.newContext({ javaScriptEnabled })
    const page = await context.newPage()
    await enter(page, new URL(other.url()).pathname, ADA)
    // The first page of a browser is read again once its zone is known, and has what is stored by then.
    await page.waitForLoadState('networkidle')
    await other.getByLabel('Description').fill('Theirs')
    await other.getByLabel('Logo', { exact: true }).fill('https://harbour.example/logo.png')
    await save(other).click()
    await expect(other.getByText('Saved.')).toBeVisible()
    await page.getByLabel('Description').fill('Mine')
    await page.getByLabel('Allowed web origins').fill('https://harbour.example')
    await save(page).click()
    const row = alert(page).getByRole('row', { name: 'Description' })
    await expect(row).toContainText('Mine')
    await expect(row).toContainText('Theirs')
    await expect(page.getByLabel('Logo', { exact: true })).toHaveValue('https://harbour.example/logo.png')
    if (javaScriptEnabled) {
      await expectAccessible(page, 'a form that another person changed')
      await page.setViewportSize({ width: 390, height: 844 })
      await expectNoSidewaysScroll(page)
    }
    await save(page).click()
    await expect(page.getByText('Saved.')).toBeVisible()
    await expect(page.getByLabel('Description')).toHaveValue('Mine')
    await expect(page.getByLabel('Logo', { exact: true })).toHaveValue('https://harbour.example/logo.png')

    await other.getByLabel('Description').fill('Once more')
    await save(other).click()
    await alert(other).getByRole('button', { name: 'Take what is stored now' }).click()
    await expect(other.getByLabel('Description')).toHaveValue('Mine')
    await context.close()
  })

test('what was typed to confirm, and a change that is not saved, are there again after signing in again', async ({
  browser,
}) => {
  const page = await enterAsNew(browser, 'Admin')
  const email = (await page.locator('.co-person-name').textContent()) ?? ''
  const name = `Again ${randomUUID()}`
  await page.goto('/console/roles/new')
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(title(page, name)).toBeVisible()
  const remove = panel(page, 'Delete')
  await remove.getByRole('textbox').fill('another name')
  await remove.getByRole('button', { name: 'Delete' }).click()
  await expect(remove.getByRole('alert')).toContainText('different')
  await expect(remove.getByRole('textbox')).toHaveValue('another name')

  await ageSignIn(email)
  await remove.getByRole('textbox').fill(name)
  await remove.getByRole('button', { name: 'Delete' }).click()
  await expect(remove.getByRole('alert')).toContainText('prove again that it is you')
  await page.getByLabel('Description').fill('Not saved yet')
  await remove.getByRole('link', { name: 'Sign in again' }).click()
  await signIn(page, { email, password: 'a quiet harbour in winter' })
  await expect(title(page, name)).toBeVisible()
  await expect(page.getByText('What you had entered is here again').first()).toBeVisible()
  await expect(page.getByLabel('Description')).toHaveValue('Not saved yet')
  await expect(remove.getByRole('textbox')).toHaveValue(name)
  await remove.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Deleted.')).toBeVisible()
  await page.context().close()
})

test('permissions are rows, which are added, moved and removed', async ({ page }) => {
  await enter(page, '/console/apis/new', ADA)
  await page.getByLabel('Name').first().fill('Harbour')
  await page.locator('[name="text:identifier"]').fill(`https://api.example/${randomUUID()}`)
  const permissions = page.getByRole('group', { name: 'Permissions' })
  for (const [place, value] of ['read:ships', 'write:ships'].entries()) {
    await permissions.getByRole('button', { name: 'Add a row' }).click()
    await expect(permissions.getByLabel('Value').nth(place)).toBeFocused()
    await permissions.getByLabel('Value').nth(place).fill(value)
  }
  await permissions.getByRole('button', { name: 'Move row 2 up' }).click()
  await expect(permissions.getByLabel('Value').first()).toHaveValue('write:ships')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(title(page, 'Harbour')).toBeVisible()
  await page.getByRole('navigation', { name: 'Harbour' }).getByRole('link', { name: 'Permissions' }).click()
  await expect(permissions.getByLabel('Value').first()).toHaveValue('write:ships')
  await expect(permissions.getByLabel('Value').nth(1)).toHaveValue('read:ships')
  await permissions.getByRole('button', { name: 'Remove row 1' }).click()
  await save(page).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await expect(permissions.getByLabel('Value')).toHaveCount(1)
  await expectAccessible(page, 'permissions as rows')
})

test('a client secret is rotated with an overlap, and the earlier one ended', async ({ page }) => {
  await enter(page, '/console/applications/new?kind=regular_web', ADA)
  const name = `Rotated ${randomUUID()}`
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('link', { name: 'I have copied it' }).click()
  await expect(title(page, name)).toBeVisible()
  await page.getByRole('link', { name: 'Credentials' }).click()
  const secret = panel(page, 'Client secret')
  await expect(secret.getByRole('spinbutton', { name: /^The present secret stays valid for/ })).toHaveValue('1')
  await secret.getByRole('button', { name: 'Make a new secret' }).click()
  await expect(page.locator('.co-secret')).toHaveText(/^[\w-]{40,}$/)
  await page.getByRole('link', { name: 'I have copied it' }).click()
  await expect(secret.getByText('is valid until')).toBeVisible()
  await expectAccessible(page, 'an application with two secrets')
  await secret.getByRole('button', { name: 'End the earlier secret now' }).click()
  await expect(page.getByText('Done.')).toBeVisible()
  await expect(secret.getByText('is valid until')).toHaveCount(0)
})
