// The captcha probes of auth0-js and Lock, sent before a form is shown. This server has no captcha; guesses are limited by
// counting them (lib/users/attempts.ts).
import { defineEndpoint } from '../../http/endpoint'
import { json } from '../../http/message'
import { oauthJson } from '../../http/render-errors'
import type { Runtime } from '../../runtime/runtime'

export const captchaChallenge = defineEndpoint<Runtime>({
  name: 'captcha.challenge',
  limit: 'pages',
  shed: 'first',
  refused: null,
  cors: 'open',
  errors: oauthJson,
  methods: { POST: () => json({ required: false }) },
})
