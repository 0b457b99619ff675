import type { Metadata } from 'next'
import { Fragment } from 'react'
import { userSignInPreview } from '../../../../../lib/management/resources/user-sign-in-preview'
import { mayPick } from '../../../../../lib/server/next/console/find'
import { resolveReference } from '../../../../../lib/server/next/console/references'
import { say } from '../../../../../lib/text/console'
import { Badge } from '../../../_parts/badge'
import { Facts } from '../../../_parts/facts'
import { Forbid } from '../../../_parts/forbid'
import { NativePicker } from '../../../_parts/native-picker'
import { Panel } from '../../../_parts/panel'
import { Cause, connectionIdOf } from '../../../logins/cause'
import '../../../logins/logins.css'
import { Step } from '../../../logins/step'
import '../../../logs/logs.css'
import { type Person, personPage } from '../person'

export const metadata: Metadata = { title: say('users.tab.preview') }

export default personPage('/preview', async (person) => {
  const { console, query } = person
  if (!console.may(userSignInPreview.preview)) throw new Forbid()
  const [form, answer] = await Promise.all([Question(person), query.client_id ? Answer(person) : null])
  return (
    <>
      {form}
      {answer}
    </>
  )
})

const BROWSERS = ['unknown', 'known', 'remembered'] as const
const PROTOCOLS = ['oidc', 'samlp', 'wsfed'] as const

/** Objects that the question names, by the parameters of the address. */
const PICKED = [
  ['client_id', 'applications', say('preview.application')],
  ['organization', 'organizations', say('preview.organization')],
  ['audience', 'apis', say('preview.api')],
] as const

type Option = readonly [value: string, label: string]

/** The question is the address of the page, so it can be shared, and works without scripts. */
async function Question({ console, user, query }: Person) {
  if (!mayPick('applications', console))
    return (
      <Panel key="question" title={say('preview.title')}>
        <p>{say('preview.none')}</p>
      </Panel>
    )
  const own = [...new Set((user.identities ?? []).map(({ connection }) => connection))]
  const any: Option = ['', say('preview.any')]
  const choices = [
    ['connection', say('preview.connection'), [any, ...own.map((name): Option => [name, name])]],
    [
      'protocol',
      say('preview.protocol'),
      [
        ['', say('preview.protocol.own')] as Option,
        ...PROTOCOLS.map((each): Option => [each, say(`preview.protocol.${each}`)]),
      ],
    ],
    ['browser', say('preview.browser'), BROWSERS.map((each): Option => [each, say(`preview.browser.${each}`)])],
  ] as const satisfies readonly (readonly [string, string, readonly Option[]])[]
  const pickers = await Promise.all(
    PICKED.filter(([name, kind]) => name === 'client_id' || mayPick(kind, console)).map(
      async ([name, kind, label]) => ({
        // What is picked is state of the browser, which another address begins anew.
        key: `${name} ${query[name] ?? ''}`,
        picker: await NativePicker({
          name,
          label,
          kind,
          value: query[name],
          required: name === 'client_id',
          console,
        }),
      }),
    ),
  )
  return (
    <Panel key="question" id="question" title={say('preview.title')} lead={say('preview.lead')}>
      <form className="co-form">
        {pickers.map(({ key, picker }) => (
          <Fragment key={key}>{picker}</Fragment>
        ))}
        {choices
          .filter(([, , options]) => options.length > 1)
          .map(([name, label, options]) => (
            <div key={name} className="co-field">
              <label className="co-label" htmlFor={name}>
                {label}
              </label>
              <select id={name} name={name} className="co-input" defaultValue={query[name] ?? ''}>
                {options.map(([value, shown]) => (
                  <option key={value} value={value}>
                    {shown}
                  </option>
                ))}
              </select>
            </div>
          ))}
        <div className="co-field">
          <label className="co-label" htmlFor="ip">
            {say('preview.ip')}
          </label>
          <input
            id="ip"
            name="ip"
            className="co-input"
            defaultValue={query.ip}
            autoComplete="off"
            aria-describedby="ip-hint"
          />
          <p id="ip-hint" className="co-hint">
            {say('preview.ip.hint')}
          </p>
        </div>
        <div className="co-field">
          <label className="co-label" htmlFor="scope">
            {say('preview.scope')}
          </label>
          <input
            id="scope"
            name="scope"
            className="co-input"
            defaultValue={query.scope ?? 'openid profile email'}
            autoComplete="off"
          />
        </div>
        <div className="co-form-foot">
          <button type="submit" className="co-button co-button-primary">
            {say('preview.ask')}
          </button>
        </div>
      </form>
    </Panel>
  )
}

async function Answer({ console, id, query }: Person) {
  const { connection, scope, ip, browser, protocol } = query
  const [client_id = '', organization, audience] = await Promise.all(
    PICKED.map(async ([name, kind]) =>
      query[name] === undefined || !mayPick(kind, console)
        ? query[name]
        : await resolveReference(kind, query[name], name, console),
    ),
  )
  const preview = await console.read(userSignInPreview.preview, {
    params: { id },
    query: { client_id, connection, organization, audience, scope, ip: ip?.trim(), browser, protocol },
  })
  const { would_sign_in: would, not_run: code, steps, reason } = preview
  const step = steps.find(({ outcome }) => outcome === 'failed')
  const subjects = { client: client_id, user: id, connection: await connectionIdOf(preview.connection, console) }
  return (
    <>
      <Panel key="answer" id="answer" title={say('preview.answer')} danger={!would}>
        <p>
          <Badge danger={!would}>{say(would ? 'preview.would' : 'preview.would_not')}</Badge>
        </p>
        {!would && <Cause reason={reason} step={step} subjects={subjects} />}
        {code.length > 0 && (
          <Facts
            facts={[
              [
                say('preview.not_run'),
                <bdi key="code">{code.map(({ at, name }) => `${name} (${at})`).join(', ')}</bdi>,
              ],
            ]}
          />
        )}
      </Panel>
      <section key="steps" aria-labelledby="steps">
        <h2 id="steps" className="co-panel-title">
          {say('preview.steps')}
        </h2>
        <ol className="co-steps">
          {steps.map((step, place) => (
            <Step key={`${String(place)} ${step.subject}`} step={step} />
          ))}
        </ol>
      </section>
    </>
  )
}
