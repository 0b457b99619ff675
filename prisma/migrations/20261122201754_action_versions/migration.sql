-- AlterTable
ALTER TABLE "action" ADD COLUMN     "draft" JSONB,
ADD COLUMN     "id" TEXT NOT NULL DEFAULT (gen_random_uuid())::text;

-- CreateTable
CREATE TABLE "action_version" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "action_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "body" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "action_version_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "action_version_action_id_number_key" ON "action_version"("action_id", "number");

-- CreateIndex
CREATE UNIQUE INDEX "action_id_key" ON "action"("id");

-- AddForeignKey
ALTER TABLE "action_version" ADD CONSTRAINT "action_version_action_id_fkey" FOREIGN KEY ("action_id") REFERENCES "action"("id") ON DELETE CASCADE ON UPDATE CASCADE;
