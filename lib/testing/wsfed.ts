// A WS-Federation relying party: its requests, and an unmodified library that validates the tokens.
import { Strategy } from 'passport-wsfed-saml2'
import { locationOf, submitPassword } from './journey'
import { formOf } from './saml'
import type { Browser, TestResponse } from './server'

export const RELYING_PARTY = {
  clientId: 'portal',
  settings: {
    callbacks: ['https://portal.test/wsfed', 'https://portal.test/other'],
    allowed_logout_urls: ['https://portal.test/bye'],
    client_aliases: ['https://portal.test/', 'portal realm'],
  },
}

export type Posted = { action: string; wa: string; wresult: string; wctx: string | undefined }

export function postedBy(answer: TestResponse): Posted {
  const { action, fields } = formOf(answer.text)
  return { action, wa: fields.wa ?? '', wresult: fields.wresult ?? '', wctx: fields.wctx }
}

/** From the request to the form posted to the relying party, with a login. */
export async function signInByWsFed(browser: Browser, username: string, query: Record<string, string> = {}) {
  const started = await browser.get('/wsfed', { query: { wtrealm: 'urn:portal', ...query } })
  const state = locationOf(started).searchParams.get('state') ?? ''
  return postedBy(await submitPassword(browser, state, username))
}

type Verdict = { profile?: Record<string, unknown>; error?: Error }

/** The verdict of passport-wsfed-saml2, with the certificate from this server's metadata. */
export function judge(posted: Posted, options: { realm: string; cert: string; jwt?: object }): Promise<Verdict> {
  return new Promise((resolve) => {
    const recipientUrl = posted.action
    const strategy = new Strategy({ ...options, recipientUrl, protocol: 'wsfed' }, (profile, done) =>
      done(null, profile),
    )
    Object.assign(strategy, {
      success: (profile: Record<string, unknown>) => resolve({ profile }),
      fail: (reason: unknown) => resolve({ error: reason instanceof Error ? reason : new Error(String(reason)) }),
      error: (error: Error) => resolve({ error }),
    })
    const body = { wa: posted.wa, wresult: posted.wresult, wctx: posted.wctx }
    strategy.authenticate({ method: 'POST', body, query: {}, headers: {} }, {})
  })
}
