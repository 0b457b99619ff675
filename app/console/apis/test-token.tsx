import type { AnswerOf } from '../../../lib/management/console-call'
import { clientGrants } from '../../../lib/management/resources/client-grants'
import { resourceServers } from '../../../lib/management/resources/resource-servers'
import { namesOf } from '../../../lib/server/next/console/log-names'
import type { Console } from '../../../lib/server/next/console/page'
import { say } from '../../../lib/text/console'
import { Copy } from '../_parts/copy'
import { PageLink } from '../_parts/links'
import { Panel } from '../_parts/panel'
import { SettingsForm } from '../_parts/settings-form'

type Props = { api: AnswerOf<typeof resourceServers.read>; console: Console }

const OFFERED = 100

/** A token as an application gets it for itself, and how it is requested and sent. */
export async function TestToken({ api, console }: Props) {
  const found = console.may(clientGrants.list)
    ? await console.read(clientGrants.list, {
        query: { audience: api.identifier, subject_type: 'client', per_page: String(OFFERED) },
      })
    : []
  const ids = found.map(({ client_id }) => client_id)
  const names = await namesOf(
    ids.map((id) => `applications/${id}`),
    console,
  )
  const path = `/console/apis/${encodeURIComponent(api.id)}/access`
  return (
    <>
      <Panel title={say('apis.test')} lead={say('apis.test.lead')}>
        {ids.length === 0 ? (
          <>
            <p className="co-hint">{say('apis.test.none')}</p>
            <PageLink href={path} title={say('apis.test.access')} />
          </>
        ) : (
          <SettingsForm
            operation={resourceServers.testToken}
            params={{ id: api.id }}
            members={['client_id', 'scope']}
            choices={{
              client_id: ids.map((id) => ({ value: id, label: names.get(`applications/${id}`) ?? id })),
              scope: api.scopes.map(({ value, description }) => ({
                value,
                label: description ? `${value}: ${description}` : value,
              })),
            }}
            submitLabel={say('apis.test.issue')}
            next={`/console/apis/${encodeURIComponent(api.id)}/test`}
          />
        )}
      </Panel>
      <Panel title={say('apis.test.request')} lead={say('apis.test.request.lead')}>
        <Sample title={say('apis.test.get')} text={tokenRequest(console.baseUrl, api.identifier, ids[0])} />
        <Sample title={say('apis.test.use')} text={API_REQUEST} />
      </Panel>
    </>
  )
}

const Sample = ({ title, text }: { title: string; text: string }) => (
  <figure className="co-sample">
    <figcaption>{title}</figcaption>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard. */}
    <pre className="co-raw" tabIndex={0}>
      {text}
    </pre>
    <Copy value={text} />
  </figure>
)

/** For a shell: each value is one quoted argument. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const tokenRequest = (baseUrl: string, audience: string, clientId = 'CLIENT_ID'): string =>
  [
    `curl --request POST ${quoted(`${baseUrl}/oauth/token`)}`,
    `  --data-urlencode 'grant_type=client_credentials'`,
    `  --data-urlencode ${quoted(`client_id=${clientId}`)}`,
    `  --data-urlencode 'client_secret=CLIENT_SECRET'`,
    `  --data-urlencode ${quoted(`audience=${audience}`)}`,
  ].join(' \\\n')

const API_REQUEST = [`curl 'https://api.example.com/path'`, `  --header 'Authorization: Bearer ACCESS_TOKEN'`].join(
  ' \\\n',
)
