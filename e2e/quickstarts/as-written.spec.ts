// The quickstarts as they are written: packages from the registry, the ports of the page, Latchkey by `npm start`.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test as base, expect } from '@playwright/test'
import { type Place, startApplication, startIn, typeTheRest, untilAnswers } from './follow'
import { signInAndOut } from './journey'
import {
  addressOf,
  callsOrdersApi,
  isRun,
  ORDERS_API,
  QUICKSTARTS,
  type Quickstart,
  readQuickstart,
  stepOf,
} from './page'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const LATCHKEY = 'http://localhost:3000/readyz'
const ORDERS = 'http://localhost:3001/orders'

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

/** The folder named `quickstart` on the page is one per page here, and Latchkey's data are not in its own folder. */
function placeIn(folder: string, { name }: Quickstart): Place {
  const own = join(folder, name)
  mkdirSync(own, { recursive: true })
  const rewrite = (text: string) =>
    text.replaceAll('../quickstart/', `${own}/`).replaceAll('.data-quickstart', join(folder, 'data'))
  return { folder: own, rewrite }
}

for (const quickstart of QUICKSTARTS.map(readQuickstart).filter(isRun)) {
  test(quickstart.name, async ({ page, folder }) => {
    const place = placeIn(folder, quickstart)
    const address = addressOf(quickstart)
    const application = await startApplication(quickstart, place)
    const latchkey = startIn(ROOT, place.rewrite(stepOf(quickstart, 'latchkey')))
    const ordersApi = readQuickstart(ORDERS_API)
    const others = callsOrdersApi(quickstart) ? [await startApplication(ordersApi, placeIn(folder, ordersApi))] : []
    try {
      await untilAnswers(LATCHKEY, latchkey)
      await untilAnswers(address ?? ORDERS, application)
      for (const each of others) await untilAnswers(ORDERS, each)
      if (address) await signInAndOut(page, address)
      const { printed, shown } = await typeTheRest(quickstart, place)
      expect(printed).toEqual(shown)
    } finally {
      await Promise.all([application, latchkey, ...others].map((each) => each.end()))
    }
  })
}
