// Loaded before the vendor's Deploy CLI. Its schema has a copy of the same rules for each of 81 languages, and an import would
// compile all copies for most of a minute. One copy for every language accepts and refuses the same files.
import { deepEqual } from 'node:assert/strict'
import schema from 'auth0-deploy-cli/lib/tools/auth0/schema.js'

const { customText } = schema.default.properties.prompts.properties
const { en, ...others } = customText.properties
for (const language of Object.values(others)) deepEqual(language, en)
delete customText.properties
customText.additionalProperties = en
