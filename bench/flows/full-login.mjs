// One operation: a login in a new browser: authorize, login page, password, code, exchange.

import { createBrowser } from '../lib/browser.mjs'
import { API } from '../lib/definition.mjs'
import { signIn } from '../lib/oauth.mjs'

const run = ({ side, http, nextPerson }) => signIn(side, http, createBrowser(http), nextPerson(), API)

/** With the real cost of the password hash. There is no target, because the hash dominates on both servers. */
export const fullLogin = { name: 'full login', operations: 96, async prepare() {}, run }

/** On servers started with cheap-hash.cjs: the same code, with almost no cost of argon2id. */
export const fullLoginWithoutHash = {
  name: 'full login without hash cost',
  target: 0.6,
  operations: 400,
  async prepare() {},
  run,
}
