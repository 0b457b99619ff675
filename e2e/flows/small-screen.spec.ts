import { expect, test } from '../fixtures'
import { PEOPLE } from '../people'
import { expectNoSidewaysScroll } from '../support/accessibility'

const { nora } = PEOPLE

test.use({ viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true })

test('everything fits a small phone, and can be touched', async ({ app, consentPage, loginPage, page }) => {
  await app.startLogin('third', { prompt: 'consent' })
  await loginPage.expectShown()
  await expectNoSidewaysScroll(page)
  await expect(loginPage.submit).toBeInViewport()
  await loginPage.fill(nora.email, 'wrong at first')
  await loginPage.submit.tap()
  await expect(loginPage.problem).toBeVisible()
  await expectNoSidewaysScroll(page)
  await loginPage.fill(nora.email)
  await loginPage.submit.tap()
  await consentPage.expectShown('Night Owl')
  await expectNoSidewaysScroll(page)
  await consentPage.allow.tap()
  await app.expectWelcome(nora.name)
  await page.goto('/oidc/logout')
  await expectNoSidewaysScroll(page)
})

for (const path of ['/', '/demo', '/dev/outbox', '/u/login', '/authorize']) {
  test(`${path} does not scroll sideways`, async ({ page }) => {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectNoSidewaysScroll(page)
  })
}
