// A new browser each time: authorize, login page, password, code, exchange.

import { createBrowser } from '../lib/browser.mjs'
import { API } from '../lib/definition.mjs'
import { signIn } from '../lib/oauth.mjs'

const run = ({ side, http, nextPerson }) => signIn(side, http, createBrowser(http), nextPerson(), API)

/** With the password hash at its real cost. No target: on both sides most of it is the hash. */
export const fullLogin = { name: 'full login', operations: 96, async prepare() {}, run }

/** On servers started with cheap-hash.cjs: the same code, argon2id at next to no cost. */
export const fullLoginWithoutHash = {
  name: 'full login without hash cost',
  target: 0.6,
  operations: 400,
  async prepare() {},
  run,
}
