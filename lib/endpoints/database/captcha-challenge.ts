// The captcha probes of auth0-js and Lock, sent before a form is shown. This server has no captcha; guesses are limited by
// counting them (lib/users/attempts.ts).

import * as z from 'zod'
import { IGNORED } from '../../http/description'
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
  describe: () => ({
    tag: 'Database',
    POST: {
      summary: 'Ask whether a captcha is required',
      body: z.object({ state: z.string().optional().meta({ description: IGNORED }) }),
      answers: { 200: { says: 'It never is', schema: z.object({ required: z.literal(false) }) } },
      examples: { question: { body: {} } },
    },
  }),
  methods: { POST: () => json({ required: false }) },
})
