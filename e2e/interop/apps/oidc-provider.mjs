// A customer's OpenID provider on the unmodified npm package `oidc-provider` with its built-in login pages, which accept any
// name.
import Provider from 'oidc-provider'

const { port, clients } = JSON.parse(process.argv[2])
const issuer = `http://localhost:${port}`

const provider = new Provider(issuer, {
  clients,
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'given_name', 'picture'] },
  findAccount: (_context, accountId) => ({
    accountId,
    claims: () => ({
      sub: accountId,
      name: `${accountId} of the pier`,
      email: `${accountId}@pier.e2e.test`,
      email_verified: true,
    }),
  }),
  features: { devInteractions: { enabled: true }, rpInitiatedLogout: { enabled: true } },
})
provider.listen(port, () => console.log('listening'))
