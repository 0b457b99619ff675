-- AlterTable
ALTER TABLE "action" ADD COLUMN     "build_attempt" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "build_due_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "action_bundle" (
    "tenant_id" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "map" TEXT,
    "packages" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "action_bundle_pkey" PRIMARY KEY ("tenant_id","digest")
);

-- CreateIndex
CREATE INDEX "action_bundle_created_at_idx" ON "action_bundle"("created_at");

-- CreateIndex
CREATE INDEX "action_build_due_at_idx" ON "action"("build_due_at");

-- AddForeignKey
ALTER TABLE "action_bundle" ADD CONSTRAINT "action_bundle_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE CASCADE ON UPDATE CASCADE;
