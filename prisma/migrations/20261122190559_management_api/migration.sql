-- AlterTable
ALTER TABLE "tenant" ADD COLUMN     "kept" JSONB NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "client" ADD COLUMN     "kept" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "sealed_secret" BYTEA;

-- AlterTable
ALTER TABLE "api" ADD COLUMN     "id" TEXT NOT NULL DEFAULT substr(replace((gen_random_uuid())::text, '-'::text, ''::text), 1, 24),
ADD COLUMN     "kept" JSONB NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "client_grant" ADD COLUMN     "id" TEXT NOT NULL DEFAULT ('cgr_'::text || substr(replace((gen_random_uuid())::text, '-'::text, ''::text), 1, 16)),
ADD COLUMN     "kept" JSONB NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "connection" ADD COLUMN     "kept" JSONB NOT NULL DEFAULT '{}';

-- CreateTable
CREATE TABLE "document" (
    "tenant_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "body" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "document_pkey" PRIMARY KEY ("tenant_id","kind","id")
);

-- CreateTable
CREATE TABLE "user_permission" (
    "tenant_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "permission" TEXT NOT NULL,

    CONSTRAINT "user_permission_pkey" PRIMARY KEY ("tenant_id","user_id","audience","permission")
);

-- CreateIndex
CREATE UNIQUE INDEX "api_id_key" ON "api"("id");

-- CreateIndex
CREATE UNIQUE INDEX "client_grant_id_key" ON "client_grant"("id");

-- AddForeignKey
ALTER TABLE "document" ADD CONSTRAINT "document_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_permission" ADD CONSTRAINT "user_permission_tenant_id_user_id_fkey" FOREIGN KEY ("tenant_id", "user_id") REFERENCES "user"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TRIGGER "announce" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "document"
FOR EACH STATEMENT EXECUTE FUNCTION "latchkey_announce"('document');
