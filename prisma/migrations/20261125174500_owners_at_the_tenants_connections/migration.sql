-- A connection of an organization signs in to the organization's applications alone (`enabledIn` in lib/organizations/organization.ts), so
-- by an account there no owner enters the console.
CREATE OR REPLACE FUNCTION "latchkey_opens_console"(settings JSONB) RETURNS BOOLEAN LANGUAGE sql IMMUTABLE AS $$
  SELECT settings ->> 'organization_id' IS NULL AND CASE jsonb_typeof(settings -> 'enabled_clients')
    WHEN 'array' THEN jsonb_array_length(settings -> 'enabled_clients') > 0 OR coalesce(settings -> 'is_domain_connection' = 'true', false)
    ELSE true
  END
$$;
