// One operation: the refresh token is rotated, a new access token (JWT for the API) and ID token are signed.

import { createBrowser } from '../lib/browser.mjs'
import { API } from '../lib/definition.mjs'
import { refresh, signIn } from '../lib/oauth.mjs'

export default {
  name: 'refresh with rotation',
  target: 0.65,
  operations: 800,
  async prepare({ side, http, nextPerson }) {
    const tokens = await signIn(side, http, createBrowser(http), nextPerson(), API)
    return { refreshToken: tokens.refresh_token }
  },
  async run({ side, http }, state) {
    const tokens = await refresh(side, http, state.refreshToken)
    if (tokens.refresh_token === state.refreshToken) throw new Error('the refresh token was not rotated')
    state.refreshToken = tokens.refresh_token
  },
}
