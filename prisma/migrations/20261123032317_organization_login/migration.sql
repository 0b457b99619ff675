-- CreateTable
CREATE TABLE "organization_domain" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "challenge" TEXT NOT NULL,
    "verified_at" TIMESTAMPTZ(3),
    "discovers" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "organization_domain_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "organization_domain_organization_id_tenant_id_idx" ON "organization_domain"("organization_id", "tenant_id");

-- CreateIndex
CREATE UNIQUE INDEX "organization_domain_tenant_id_domain_key" ON "organization_domain"("tenant_id", "domain");

-- AddForeignKey
ALTER TABLE "organization_domain" ADD CONSTRAINT "organization_domain_organization_id_tenant_id_fkey" FOREIGN KEY ("organization_id", "tenant_id") REFERENCES "organization"("id", "tenant_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Logins read organizations like the rest of the configuration (20261121230536_announce_changes).
CREATE TRIGGER "announce" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "organization"
FOR EACH STATEMENT EXECUTE FUNCTION "latchkey_announce"('organization');

CREATE TRIGGER "announce" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "organization_connection"
FOR EACH STATEMENT EXECUTE FUNCTION "latchkey_announce"('organization');

CREATE TRIGGER "announce" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "organization_domain"
FOR EACH STATEMENT EXECUTE FUNCTION "latchkey_announce"('organization');

-- What was kept without an effect now has one; a value that has no meaning stays kept.
UPDATE "client" SET
  settings = settings || jsonb_build_object('organization_usage', kept->'organization_usage'),
  kept = kept - 'organization_usage'
WHERE kept->>'organization_usage' IN ('deny', 'allow', 'require');

UPDATE "client" SET
  settings = settings || jsonb_build_object('organization_require_behavior', kept->'organization_require_behavior'),
  kept = kept - 'organization_require_behavior'
WHERE kept->>'organization_require_behavior' IN ('no_prompt', 'pre_login_prompt', 'post_login_prompt');

UPDATE "client" SET
  settings = settings || jsonb_build_object('organization_discovery_methods', kept->'organization_discovery_methods'),
  kept = kept - 'organization_discovery_methods'
WHERE kept->'organization_discovery_methods' <@ '["email", "organization_name"]'
  AND jsonb_array_length(kept->'organization_discovery_methods') BETWEEN 1 AND 2;

UPDATE "tenant" SET
  settings = settings || jsonb_build_object('tenant', coalesce(settings->'tenant', '{}') || jsonb_build_object(
    'allow_organization_name_in_authentication_api', kept->'tenant'->'allow_organization_name_in_authentication_api')),
  kept = kept #- '{tenant,allow_organization_name_in_authentication_api}'
WHERE jsonb_typeof(kept->'tenant'->'allow_organization_name_in_authentication_api') = 'boolean';
