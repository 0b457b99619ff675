// The quickstarts as they are written: packages from the registry, the ports of the page, Latchkey by `npm start`.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from '@playwright/test'
import { endAll } from './follow'
import { follow } from './journey'
import { isRun, QUICKSTARTS, readQuickstart } from './page'

const test = base.extend<object, { folder: string }>({
  folder: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here.
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'latchkey-quickstarts-'))
      // If this process runs as root, the database runs as another account, which needs access.
      chmodSync(folder, 0o711)
      await use(folder)
      rmSync(folder, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
})

test.afterEach(endAll)

for (const name of QUICKSTARTS.filter((each) => isRun(readQuickstart(each)))) {
  test(name, async ({ page, folder }) => {
    /** Latchkey's data are not in its own folder. */
    const rewrite = (text: string) =>
      text.replaceAll('../quickstart/', `${join(folder, name)}/`).replaceAll('.data-quickstart', join(folder, 'data'))
    await follow(page, name, { folder, rewrite })
  })
}
