// The captcha probes of auth0-js and Lock, sent before a form is shown, each for its own use. The solution goes into the member
// `captcha` of the request that follows. Asking changes nothing.
import * as z from 'zod'
import { IGNORED } from '../../../http/description'
import { defineEndpoint, type Endpoint } from '../../../http/endpoint'
import { json } from '../../../http/message'
import { oauthJson } from '../../../http/render-errors'
import { type CaptchaUse, challengeFor, demandsCaptcha } from '../../../identity/captcha/demand'
import type { Runtime } from '../../runtime/runtime'

const challenge = (name: string, use: CaptchaUse): Endpoint<Runtime> =>
  defineEndpoint<Runtime>({
    name,
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
        answers: { 200: { says: 'Whether, and the challenge', schema: answer } },
        examples: { question: { body: {} } },
      },
    }),
    methods: {
      async POST(request, runtime) {
        if (!(await demandsCaptcha(use, request.ip, runtime))) return json({ required: false })
        const made = challengeFor('', runtime)
        if (made.kind === 'widget') return json({ required: true, provider: made.provider, siteKey: made.siteKey })
        const { kind: _, ...work } = made
        return json({ required: true, provider: 'auth_challenge', ...work })
      },
    },
  })

const answer = z.object({
  required: z.boolean(),
  provider: z.string().optional(),
  siteKey: z.string().optional(),
  session: z.string().optional(),
  salt: z.string().optional(),
  target: z.string().optional(),
  max: z.number().optional(),
})

export const loginChallenge = challenge('captcha.login', 'login')
export const signUpChallenge = challenge('captcha.signup', 'sign_up')
export const resetChallenge = challenge('captcha.change_password', 'password_reset')
export const passwordlessChallenge = challenge('captcha.passwordless', 'passwordless')
