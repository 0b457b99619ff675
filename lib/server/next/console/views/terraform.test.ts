// Objects as Terraform: what is written, what becomes a variable, and that nothing in a value leaves its quotes.

import { expect, it } from 'vitest'
import { encoded, identifierOf, literal, quoted } from './hcl'
import { asTerraform, TERRAFORM } from './terraform'

it('writes an application with its import, its blocks and its way to prove itself', () => {
  const client = {
    client_id: 'shop1',
    name: 'Shop',
    app_type: 'regular_web',
    callbacks: ['https://shop.example/callback'],
    allowed_logout_urls: [],
    cross_origin_authentication: false,
    description: '',
    logo_uri: null,
    jwt_configuration: { alg: 'RS256', lifetime_in_seconds: 3600 },
    token_endpoint_auth_method: 'client_secret_post',
    client_metadata: { team: 'harbour' },
    client_secret: '********',
    signing_keys: [{ cert: 'x' }],
  }
  expect(asTerraform('clients', client, 'Shop')).toBe(`import {
  to = auth0_client.shop
  id = "shop1"
}

resource "auth0_client" "shop" {
  name                = "Shop"
  app_type            = "regular_web"
  callbacks           = [
    "https://shop.example/callback",
  ]
  allowed_logout_urls = []
  client_metadata     = {
    "team" = "harbour"
  }
  cross_origin_auth   = false

  jwt_configuration {
    alg                 = "RS256"
    lifetime_in_seconds = 3600
  }
}

resource "auth0_client_credentials" "shop" {
  client_id             = auth0_client.shop.client_id
  authentication_method = "client_secret_post"
}
`)
})

it('makes a variable of a secret, and leaves out objects with secrets among their values', () => {
  const connection = {
    id: 'con_1',
    name: 'harbour-oidc',
    strategy: 'oidc',
    enabled_clients: ['shop1'],
    options: {
      client_id: 'harbour',
      client_secret: '********',
      scope: 'openid  email',
      customHeaders: { 'x-key': '********' },
      upstream_params: { screen_hint: { alias: 'login_hint' } },
      idpinitiated: { enabled: false },
    },
  }
  const text = asTerraform('connections', connection, 'harbour-oidc')
  expect(text).not.toContain('********')
  expect(text).toContain('variable "harbour_oidc_client_secret" {\n  type      = string\n  sensitive = true\n}')
  expect(text).toContain('client_secret   = var.harbour_oidc_client_secret')
  expect(text).toContain('scopes          = [\n      "openid",\n      "email",\n    ]')
  expect(text).toContain('jsonencode({')
  expect(text).toContain('idp_initiated {\n      enabled = false\n    }')
  expect(text).toContain('connection_id   = auth0_connection.harbour_oidc.id')
})

it('writes the stages of a protection as blocks', () => {
  const throttling = { enabled: true, stage: { 'pre-login': { max_attempts: 100, rate: 864000 } } }
  expect(asTerraform('attack-protection', { suspicious_ip_throttling: throttling }, 'Security')).toContain(
    '    enabled = true\n\n    pre_login {\n      max_attempts = 100\n      rate         = 864000\n    }\n',
  )
})

it('writes the permissions of a role, and the members and connections of an organization, each with its import', () => {
  const permissions = [{ permission_name: 'read:stock', resource_server_identifier: 'https://shop.example/stock' }]
  expect(asTerraform('roles', { id: 'rol_1', name: 'Keepers' }, 'Keepers', { permissions })).toBe(`import {
  to = auth0_role.keepers
  id = "rol_1"
}

resource "auth0_role" "keepers" {
  name = "Keepers"
}

import {
  to = auth0_role_permissions.keepers
  id = "rol_1"
}

resource "auth0_role_permissions" "keepers" {
  role_id = auth0_role.keepers.id

  permissions {
    name                       = "read:stock"
    resource_server_identifier = "https://shop.example/stock"
  }
}
`)
  const lists = {
    members: [{ user_id: 'auth0|1', email: 'kim@example.com' }],
    connections: [{ connection_id: 'con_1', assign_membership_on_login: true, show_as_button: false, connection: {} }],
  }
  expect(asTerraform('organizations', { id: 'org_1', name: 'acme' }, 'acme', lists)).toBe(`import {
  to = auth0_organization.acme
  id = "org_1"
}

resource "auth0_organization" "acme" {
  name = "acme"
}

import {
  to = auth0_organization_members.acme
  id = "org_1"
}

resource "auth0_organization_members" "acme" {
  organization_id = auth0_organization.acme.id
  members         = [
    "auth0|1",
  ]
}

import {
  to = auth0_organization_connections.acme
  id = "org_1"
}

resource "auth0_organization_connections" "acme" {
  organization_id = auth0_organization.acme.id

  enabled_connections {
    connection_id              = "con_1"
    assign_membership_on_login = true
    show_as_button             = false
  }
}
`)
})

it('leaves out a list that is too long, and one without entries', () => {
  const text = asTerraform('organizations', { id: 'org_1', name: 'acme' }, 'acme', { members: null, connections: [] })
  expect(text).toContain('# auth0_organization_members is left out')
  expect(text).not.toContain('resource "auth0_organization_members"')
  expect(text).not.toContain('auth0_organization_connections')
})

const HOSTILE = '<script>"${file("/etc/passwd")}"%{ if true }\\\n} resource "x" "y" {\u0000'

it.each(Object.keys(TERRAFORM) as (keyof typeof TERRAFORM)[])(
  'keeps a hostile value of %s within its quotes',
  (kind) => {
    const object = {
      id: HOSTILE,
      client_id: HOSTILE,
      name: HOSTILE,
      friendly_name: HOSTILE,
      identifier: HOSTILE,
      description: HOSTILE,
      metadata: { [HOSTILE]: HOSTILE },
      client_metadata: { [HOSTILE]: HOSTILE },
      scopes: [{ value: HOSTILE, description: HOSTILE }],
      options: { domain: HOSTILE, fieldsMap: { [HOSTILE]: HOSTILE } },
      brute_force_protection: { mode: HOSTILE },
      sink: { httpEndpoint: HOSTILE },
    }
    const entry = {
      permission_name: HOSTILE,
      resource_server_identifier: HOSTILE,
      user_id: HOSTILE,
      connection_id: HOSTILE,
    }
    const text = asTerraform(kind, object, HOSTILE, { permissions: [entry], members: [entry], connections: [entry] })
    const outside = text.replace(/"(?:\\.|[^"\\\n])*"/g, '""')
    expect(outside.replaceAll('jsonencode(', '').replaceAll(')', '')).not.toMatch(/[^\w\s"{}[\]=.,]/)
    expect(text.replaceAll('$${', '').replaceAll('%%{', '')).not.toMatch(/[$%]\{/)
    expect([...outside].filter((each) => each === '{')).toHaveLength([...outside].filter((each) => each === '}').length)
  },
)

it('quotes texts, lists, maps and JSON as Terraform reads them', () => {
  expect(quoted('a "b" ${c} %{d} \\ \t')).toBe('"a \\"b\\" $${c} %%{d} \\\\ \\t"')
  expect(literal([])).toBe('[]')
  expect(literal({ a: 1 })).toBe('{\n  "a" = 1\n}')
  expect(encoded({ a: [true] }).expression).toBe('jsonencode({\n    "a" = [\n      true,\n    ]\n  })')
})

it('names objects by letters, digits and underscores', () => {
  expect(identifierOf('Shop für Häfen!')).toBe('shop_fu_r_ha_fen')
  expect(identifierOf('1st')).toBe('object_1st')
  expect(identifierOf('متجر')).toBe('object')
})
